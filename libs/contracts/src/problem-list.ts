import type { FieldProblem } from '#domain/errors.js';
import type { JsonNode } from '#domain/json-source.js';

/** Enough for any honest mistake; without a limit 256 KiB of unknown fields would answer with megabytes. */
const MAX_PROBLEMS = 100;

/** Gathers everything that is wrong with one published event, so that the producer cures it in one go. */
export class ProblemList {
  private readonly problems: FieldProblem[] = [];
  private unlisted = 0;

  add(pointer: string, code: string, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ pointer, code, message });
    else this.unlisted += 1;
  }

  get isEmpty(): boolean {
    return this.problems.length === 0;
  }

  toArray(): readonly FieldProblem[] {
    if (this.unlisted === 0) return this.problems;
    const message = `${this.unlisted} more problems are not listed. Cure the listed ones first.`;
    return [...this.problems, { pointer: '', code: 'MORE_PROBLEMS', message }];
  }
}

/** The value as a message shows it: its kind where that says more, and never more than an excerpt. */
export function shown(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'an object';
    case 'array':
      return 'an array';
    case 'number':
      return `the number ${excerpt(node.source)}`;
    default:
      return excerpt(node.source);
  }
}

/** At most 60 characters of a text that may be of any length. */
export function excerpt(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`;
}
