import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/**
 * The code block behind `<!-- mark -->` of a page, as a reader would copy it.
 *
 * @param page path from the root of the repository
 */
export function markedBlock(page: string, mark: string): string {
  const [, behind] = readFileSync(new URL(page, ROOT), 'utf8').split(`<!-- ${mark} -->\n`);
  const block = /^\n*```\w*\n([\s\S]*?)```/.exec(behind ?? '')?.[1];
  if (block === undefined) throw new Error(`${page} has no code block behind <!-- ${mark} -->.`);
  return block;
}
