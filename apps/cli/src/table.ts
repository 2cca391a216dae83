import Table from 'cli-table3';
import { shownText } from './shown-text.js';

export interface Column<Item> {
  readonly title: string;
  /** Of any content: it is escaped here. */
  readonly of: (item: Item) => string | number;
  /** Applied to the escaped and cut text. */
  readonly style?: (text: string, item: Item) => string;
}

const GAP = 2;
/** Below that a cut column says nothing. */
const NARROWEST = 8;

/**
 * The items as lines of a table.
 *
 * @param width of the terminal, into which the widest columns are cut; null where nobody looks: nothing is cut
 */
export function tableOf<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  width: number | null,
): string {
  const cells = items.map((item) => columns.map(({ of }) => shownText(String(of(item)))));
  const natural = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]!.length)),
  );
  const widths = width === null ? natural : fitted(natural, width);
  const table = new Table({
    head: columns.map(({ title }) => title),
    colWidths: widths.map((columnWidth) => columnWidth + GAP),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    chars: BORDERLESS,
  });
  items.forEach((item, row) =>
    table.push(
      columns.map(({ style }, index) => {
        const text = cut(cells[row]![index]!, widths[index]!);
        return style ? style(text, item) : text;
      }),
    ),
  );
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

/** Takes from the widest column until all fit, or none can be cut any more. */
function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth + GAP, -GAP) - width;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= NARROWEST) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

const BORDERLESS = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((place) => [place, '']),
);
