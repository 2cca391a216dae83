import { styleText } from 'node:util';
import { shownJson, shownText } from './shown-text.js';
import { type Column, tableOf } from './table.js';
import type { TextStream } from './terminal.js';

/** A label and what is said of it; null leaves the line out. */
export type Line = readonly [label: string, value: string | number | null];

type Style = Parameters<typeof styleText>[0];

/** Data for people or, with `--json`, for programs, on one stream; remarks on the other. */
export class Output {
  constructor(
    private readonly out: TextStream,
    private readonly err: TextStream,
    readonly json: boolean,
  ) {}

  /** One thing: its JSON, or a line for each label. */
  one(value: unknown, lines: readonly Line[]): void {
    if (this.json) this.out.write(`${shownJson(value, 2)}\n`);
    else this.lines(lines);
  }

  /** A list: one JSON array, or a table. Where nothing is listed the table is a remark. */
  list<Item>(items: readonly Item[], columns: readonly Column<Item>[], none: string): void {
    if (this.json) this.out.write(`${shownJson(items, 2)}\n`);
    else if (items.length === 0) this.remark(none);
    else this.table(items, columns);
  }

  /** One JSON value on a line of its own. */
  jsonLine(value: unknown): void {
    this.out.write(`${shownJson(value)}\n`);
  }

  table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void {
    const width = this.out.isTTY ? (this.out.columns ?? 80) : null;
    this.out.write(tableOf(items, columns, width));
  }

  lines(lines: readonly Line[]): void {
    const shown = lines.filter(([, value]) => value !== null);
    const width = Math.max(...shown.map(([label]) => label.length));
    for (const [label, value] of shown)
      this.out.write(`${label.padEnd(width)}  ${shownText(String(value))}\n`);
  }

  /** A line of data that is escaped already. */
  line(text = ''): void {
    this.out.write(`${text}\n`);
  }

  /** For whoever looks: no data, and so not where a pipe takes it. */
  remark(text: string): void {
    this.err.write(`${text.split('\n').map(shownText).join('\n')}\n`);
  }

  /** Coloured where `NO_COLOR` and the stream allow it. */
  styled(style: Style, text: string): string {
    return styleText(style, text, { stream: this.out });
  }
}
