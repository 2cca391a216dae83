import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Dictionary, en } from './en.js';
import { ptBr } from './pt-br.js';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console';
    resources: { console: Dictionary };
  }
}

export const LANGUAGES = {
  en: { name: 'English', console: en },
  'pt-BR': { name: 'Português', console: ptBr },
} as const;

const STORED = 'entrega.language';

/** The language that was chosen, or else the first of the browser's that we speak. */
export function startLanguage(): void {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  const spoken = wanted.find((code) => code !== null && languageOf(code) !== null);
  void i18next.use(initReactI18next).init({
    lng: languageOf(spoken ?? 'en') ?? 'en',
    fallbackLng: 'en',
    defaultNS: 'console',
    resources: LANGUAGES,
    // React writes texts as texts.
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = i18next.language;
}

export function chooseLanguage(code: string): void {
  localStorage.setItem(STORED, code);
  document.documentElement.lang = code;
  void i18next.changeLanguage(code);
}

function languageOf(code: string): keyof typeof LANGUAGES | null {
  if (code.startsWith('pt')) return 'pt-BR';
  return code.startsWith('en') ? 'en' : null;
}
