/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | readonly Html[];

/** HTML with values in it: a text is escaped, HTML and lists of it stand as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((string, at) => string + (at < parts.length ? render(parts[at]!) : '')).join(''),
  );
}

/** The little of CommonMark that descriptions use: paragraphs, `code` and **strong**. */
export function markdown(text: string): Html[] {
  return text
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => new Html(`<p>${inline(paragraph)}</p>`));
}

function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escaped(String(part));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
