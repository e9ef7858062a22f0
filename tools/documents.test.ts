import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const tops = 'bench|contract|demo|deploy|docs|e2e|migrations|server|testing|tools|web';
const documents = globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'deploy/**/*.md'], {
  cwd: fileURLToPath(root),
});

/** Relative links of a document: inline, or as a definition at its end. */
function linksIn(text: string): string[] {
  const inPlace = text.matchAll(/\]\((?!https?:)([^)#\s]+)/g);
  const defined = text.matchAll(/^\[[^\]]+\]: (?!https?:)(\S+)$/gm);
  return [...inPlace, ...defined].map(([, path = '']) => path);
}

/** Files and folders that a document names by their path from the root; hidden ones are created at run time. */
function pathsIn(text: string): string[] {
  const named = text.matchAll(new RegExp(`\`((?:${tops})/[\\w./-]+)\``, 'g'));
  return [...named].map(([, path = '']) => path).filter((path) => !path.includes('/.'));
}

it('finds the documents', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/architecture.md']));
});

it.each(documents)('%s links and names only files that exist', (document) => {
  const text = readFileSync(new URL(document, root), 'utf8');
  const links = linksIn(text).map((path) => new URL(path, new URL(document, root)));
  const paths = pathsIn(text).map((path) => new URL(path, root));
  const missing = [...links, ...paths].filter((place) => !existsSync(place));
  expect(missing.map(({ pathname }) => pathname)).toEqual([]);
});

describe('docs/architecture.md', () => {
  const text = readFileSync(new URL('docs/architecture.md', root), 'utf8');

  it('has no line above 100 columns, except for definitions of links', () => {
    const lines = text.split('\n').filter((line) => !/^\[[^\]]+\]: /.test(line));
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  it('defines each link once', () => {
    const used = [...text.matchAll(/(\[(?:`[^`]+`|\d{4})\])(?![:(])/g)].map(([, label = '']) => label);
    const defined = [...text.matchAll(/^(\[[^\]]+\]): /gm)].map(([, label = '']) => label);
    expect([...new Set(used)].sort()).toEqual(defined.sort());
  });
});
