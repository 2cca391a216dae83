import type { SettingFault } from './read-settings.js';
import type { SettingName } from './settings.js';

/** Where operator events are POSTed, beside their topic. */
export interface OperatorUrlConfig {
  readonly url: string;
  /** Signs what is sent; null: it is not signed. */
  readonly secret: Buffer | null;
}

export const OPERATOR_URL_SETTINGS = [
  'OPERATOR_URL',
  'OPERATOR_URL_SECRET',
] as const satisfies readonly SettingName[];

export interface OperatorUrlSettingValues {
  readonly OPERATOR_URL: string | null;
  readonly OPERATOR_URL_SECRET: Buffer | null;
}

/** Null where none is set. */
export function operatorUrlOf(settings: OperatorUrlSettingValues): OperatorUrlConfig | null {
  const { OPERATOR_URL: url, OPERATOR_URL_SECRET: secret } = settings;
  return url === null ? null : Object.freeze({ url, secret });
}

/** A secret that nothing would use. */
export function operatorUrlFaults(settings: Partial<OperatorUrlSettingValues>): SettingFault[] {
  if (settings.OPERATOR_URL !== null || !settings.OPERATOR_URL_SECRET) return [];
  const message = 'Nothing reads it without OPERATOR_URL. Set that, or remove it.';
  return [{ name: 'OPERATOR_URL_SECRET', message }];
}
