import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <Button variant="default" onClick={() => clipboard.copy(text)}>
      {clipboard.copied ? t('layout.copied') : label}
    </Button>
  );
}
