import { useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES } from '../language/language.js';

/** Light or dark, and the language: remembered by the browser, for there is nothing secret in them. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="appearance">
      <select
        aria-label={t('layout.colours')}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as typeof colorScheme)}
      >
        <option value="auto">{t('layout.coloursAuto')}</option>
        <option value="light">{t('layout.coloursLight')}</option>
        <option value="dark">{t('layout.coloursDark')}</option>
      </select>
      <select
        aria-label={t('layout.language')}
        value={i18n.language}
        onChange={(event) => chooseLanguage(event.currentTarget.value)}
      >
        {Object.entries(LANGUAGES).map(([code, { name }]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
