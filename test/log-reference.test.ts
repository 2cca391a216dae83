import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = new URL('..', import.meta.url);
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
/** `word.word-word`: what machines look for, other than the sentences of a start. */
const EVENT = /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/;
/** On every line that has an error; the reference says so once. */
const EVERYWHERE = new Set(['err']);

interface LogCall {
  readonly message: string;
  readonly level: string;
  readonly fields: readonly string[];
}

/** What a source file says to a logger, by its syntax tree. */
function logCalls(source: ts.SourceFile): LogCall[] {
  const calls: LogCall[] = [];
  visit(source, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression } = node.expression;
    if (!LEVELS.has(name.text) || !/(^|\.)log(ger)?$/.test(expression.getText(source))) return;
    const message = node.arguments.at(-1);
    const fields = node.arguments[0];
    for (const text of message ? texts(message, source) : []) {
      const named = fields && ts.isObjectLiteralExpression(fields) ? fields.properties : [];
      calls.push({
        message: text,
        level: name.text,
        fields: named.flatMap((property) => (property.name ? [property.name.getText(source)] : [])),
      });
    }
  });
  return calls.filter(({ message }) => EVENT.test(message));
}

/** What a message may be: itself, either side of a condition, or what a parameter is given in this file. */
function texts(message: ts.Expression, source: ts.SourceFile): string[] {
  if (ts.isStringLiteralLike(message)) return [message.text];
  if (ts.isConditionalExpression(message))
    return [...texts(message.whenTrue, source), ...texts(message.whenFalse, source)];
  if (!ts.isIdentifier(message)) return [];
  const given: string[] = [];
  let scope: ts.Node = message;
  while (!ts.isFunctionLike(scope) && scope.parent) scope = scope.parent;
  if (!ts.isFunctionLike(scope) || !scope.name) return [];
  const name = scope.name.getText(source);
  const index = scope.parameters.findIndex((parameter) => parameter.name.getText(source) === message.text);
  visit(source, (node) => {
    if (!ts.isCallExpression(node) || !new RegExp(`(^|\\.)${name}$`).test(node.expression.getText(source)))
      return;
    const argument = node.arguments[index];
    if (argument && ts.isStringLiteralLike(argument)) given.push(argument.text);
  });
  return given;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

async function everyCall(): Promise<LogCall[]> {
  const files = await Promise.all(
    ['apps', 'libs'].map(async (folder) => {
      const names = await readdir(new URL(folder, ROOT), { recursive: true });
      return names.map((name) => fileURLToPath(new URL(`${folder}/${name}`, ROOT)));
    }),
  );
  return files
    .flat()
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .flatMap((file) =>
      logCalls(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)),
    );
}

function documented(): Map<string, { levels: string; fields: string }> {
  const reference = readFileSync(new URL('docs/reference/logs.md', ROOT), 'utf8');
  const rows = reference.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\| ([^|]*?) *\|/gm);
  return new Map(
    [...rows].map(([, message, levels, fields]) => [message!, { levels: levels!, fields: fields! }]),
  );
}

describe('docs/reference/logs.md', () => {
  it('lists what the code logs, at its level and with its fields, and nothing else', async () => {
    const said = new Map<string, { levels: Set<string>; fields: Set<string> }>();
    for (const { message, level, fields } of await everyCall()) {
      const entry = said.get(message) ?? { levels: new Set(), fields: new Set() };
      said.set(message, entry);
      entry.levels.add(level);
      for (const field of fields) entry.fields.add(field);
    }
    const rows = documented();
    expect([...rows.keys()].sort()).toEqual([...said.keys()].sort());
    for (const [message, { levels, fields }] of said) {
      expect([message, rows.get(message)!.levels]).toEqual([message, [...levels].sort().join(', ')]);
      const missing = [...fields].filter(
        (field) => !EVERYWHERE.has(field) && !new RegExp(`\\b${field}\\b`).test(rows.get(message)!.fields),
      );
      expect([message, missing]).toEqual([message, []]);
    }
  });
});
