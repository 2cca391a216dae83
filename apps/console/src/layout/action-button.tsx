import { Button, type ButtonProps, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownCall } from '../api/call-log.js';
import { CallText } from './call-text.js';
import { ActionProblem } from './problem-text.js';

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'disabled'> {
  label: string;
  /** The call that it makes. */
  call: ShownCall;
  run: () => Promise<unknown>;
  /** What it does to whom; asked about before it is done. */
  question?: string;
}

/** Does one thing, shows the call before and its refusal after. */
export function ActionButton({ label, call, run, question, ...button }: ActionButtonProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const action = useMutation({ mutationFn: run, onSuccess: () => setAsking(false) });
  const title = `${call.method} ${call.path}`;
  return (
    <>
      <Button
        variant="default"
        {...button}
        title={title}
        loading={action.isPending && !asking}
        onClick={() => (question === undefined ? action.mutate() : setAsking(true))}
      >
        {label}
      </Button>
      {!asking && <ActionProblem error={action.error} />}
      {question !== undefined && (
        <Modal.Root opened={asking} onClose={() => setAsking(false)}>
          <Modal.Overlay />
          <Modal.Content>
            <Modal.Body className="question">
              <Modal.Title>{label}</Modal.Title>
              <p>{question}</p>
              <CallText call={call} />
              <ActionProblem error={action.error} />
              <div className="actions">
                <Button
                  data-autofocus
                  {...button}
                  variant="filled"
                  loading={action.isPending}
                  onClick={() => action.mutate()}
                >
                  {label}
                </Button>
                <Button variant="default" onClick={() => setAsking(false)}>
                  {t('layout.cancel')}
                </Button>
              </div>
            </Modal.Body>
          </Modal.Content>
        </Modal.Root>
      )}
    </>
  );
}
