import type { FieldProblem } from '#domain/errors.js';
import { childPointer, type JsonNode } from '#domain/json-source.js';

/**
 * Texts that nothing here can keep: PostgreSQL has no U+0000, and UTF-8 has no lone surrogate, which would be
 * replaced without a word. An event's `data` may have both, as escapes: it is passed on as it was written.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Every key and text of a body that {@link isStorable} is not true of. */
export function unstorableTexts(node: JsonNode, pointer = ''): FieldProblem[] {
  switch (node.kind) {
    case 'string':
      return isStorable(node.value) ? [] : [unstorable({ pointer })];
    case 'array':
      return node.items.flatMap((item, index) => unstorableTexts(item, childPointer(pointer, index)));
    case 'object':
      return node.members.flatMap(({ key, value }) => {
        const place = childPointer(pointer, key);
        return isStorable(key)
          ? unstorableTexts(value, place)
          : [unstorable({ pointer: place.toWellFormed() })];
      });
    default:
      return [];
  }
}

/** A text that cannot be kept, in the place that it has. */
export function unstorable(place: Pick<FieldProblem, 'pointer' | 'parameter'>): FieldProblem {
  return {
    ...place,
    code: 'INVALID_CHARACTER',
    message: 'This holds the character U+0000 or a lone surrogate, which cannot be kept. Leave it out.',
  };
}
