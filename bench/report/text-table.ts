/** Columns as wide as what they hold, the first to the left and all others to the right. */
export function textTable(lines: readonly (readonly string[])[]): string {
  const widths = columnWidths(lines);
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A Markdown table as Prettier writes it. The first line is the heading. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const widths = columnWidths(lines).map((width) => Math.max(width, '---'.length));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [heading, ...rest] = lines;
  return [line(heading!), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

function columnWidths(lines: readonly (readonly string[])[]): number[] {
  return (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
}
