import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

export interface Alert {
  readonly name: string;
  readonly severity: string;
  /** Path of its page in the repository. */
  readonly runbook: string;
}

export interface AlertCase {
  readonly name: string;
  readonly fires: boolean;
}

export function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The alerts of ops/prometheus/alerts.yml, whose form prettier and promtool hold. */
export function alerts(): Alert[] {
  return rules('alert').map(({ name, text }) => ({
    name,
    severity: /severity: (\w+)/.exec(text)?.[1] ?? 'none',
    runbook: /runbook_url: (\S+)/.exec(text)?.[1] ?? 'none',
  }));
}

/** Names of the series that are recorded. */
export function recordedNames(): string[] {
  return rules('record').map(({ name }) => name);
}

/** What each rule asks, by its name. */
export function ruleExpressions(): (readonly [name: string, expr: string])[] {
  return [...rules('alert'), ...rules('record')].map(({ name, text }) => {
    const [, block, line] = /\n +expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/.exec(text) ?? [];
    return [name, (block ?? line)!];
  });
}

/** The cases of ops/prometheus/alerts.test.yml that name an alert. */
export function alertCases(): AlertCase[] {
  const cases = read('ops/prometheus/alerts.test.yml').matchAll(/alertname: (\w+)\n +exp_alerts:( \[\])?/g);
  return [...cases].map(([, name, nothing]) => ({ name: name!, fires: nothing === undefined }));
}

function rules(kind: 'alert' | 'record'): { name: string; text: string }[] {
  const [, ...parts] = read('ops/prometheus/alerts.yml').split(/\n {6}- (?=alert: |record: )/);
  return parts
    .filter((part) => part.startsWith(`${kind}: `))
    .map((text) => ({ name: /^\w+: (\S+)/.exec(text)![1]!, text: `${text}\n` }));
}
