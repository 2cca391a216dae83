import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const inDocs = docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file));
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inDocs];
}

/** A page without its code blocks, where brackets and hashes mean something else. */
function proseOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** The anchors that headings get, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const headings = [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it('every link between the pages leads to a file, and to a heading of it', () => {
  const found = pages().flatMap((page) =>
    [...proseOf(join(ROOT, page)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([, target, anchor]) => ({
        page,
        file: target ? join(ROOT, dirname(page), target) : join(ROOT, page),
        anchor,
      }),
    ),
  );
  expect(found.length).toBeGreaterThan(30);
  const broken = found.filter(
    ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor)),
  );
  expect(broken.map(({ page, file, anchor }) => `${page}: ${relative(ROOT, file)}#${anchor ?? ''}`)).toEqual(
    [],
  );
});
