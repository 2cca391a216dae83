import Table from 'cli-table3';
import { shownText } from './shown-text.js';

export interface Column<Item> {
  readonly title: string;
  /** Of any content: it is escaped here. */
  readonly of: (item: Item) => string | number;
  /** Applied to the escaped and cut text. */
  readonly style?: (text: string, item: Item) => string;
  /** Free text, cut where the terminal is narrow. What is typed into the next command, and numbers, stay whole. */
  readonly cut?: true;
  /** Left out where cutting is not enough, the last of them first. */
  readonly spare?: true;
}

const GAP = 2;
/** Below that a cut column says nothing. */
const NARROWEST = 12;

/**
 * The items as lines of a table.
 *
 * @param width of the terminal, into which columns are cut or left out; null where nobody looks: all is whole
 */
export function tableOf<Item>(
  items: readonly Item[],
  wanted: readonly Column<Item>[],
  width: number | null,
): string {
  const sized = wanted.map((column): Sized<Item> => {
    const cells = items.map((item) => shownText(String(column.of(item))));
    return { column, cells, width: Math.max(column.title.length, ...cells.map(({ length }) => length)) };
  });
  const fitting = width === null ? sized : fitted(sized, width);
  const table = new Table({
    head: fitting.map(({ column }) => column.title),
    colWidths: fitting.map((column) => column.width + GAP),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    chars: BORDERLESS,
  });
  items.forEach((item, row) =>
    table.push(
      fitting.map(({ column, cells, width: columnWidth }) => {
        const text = cut(cells[row]!, columnWidth);
        return column.style ? column.style(text, item) : text;
      }),
    ),
  );
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

interface Sized<Item> {
  readonly column: Column<Item>;
  readonly cells: readonly string[];
  readonly width: number;
}

/** Cuts the widest first, then leaves columns out, until all fit or nothing more can be done. */
function fitted<Item>(sized: readonly Sized<Item>[], width: number): readonly Sized<Item>[] {
  const widths = sized.map((column) => column.width);
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth + GAP, -GAP) - width;
  const cuttable = (index: number) => sized[index]!.column.cut === true && widths[index]! > NARROWEST;
  while (excess > 0) {
    const widest = widths.reduce(
      (found, columnWidth, index) =>
        cuttable(index) && (found < 0 || columnWidth > widths[found]!) ? index : found,
      -1,
    );
    if (widest < 0) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  const spare = sized.findLastIndex(({ column }) => column.spare === true);
  if (excess > 0 && spare >= 0) return fitted(sized.toSpliced(spare, 1), width);
  return sized.map((column, index) => ({ ...column, width: widths[index]! }));
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
