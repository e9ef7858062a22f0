import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const idsIn = (path: string) => Object.keys(JSON.parse(read(path)));

/** The part of each message that not every page has. Those of a site without an app are loaded before its first page, those of the console with its page. */
const partOf = new Map<string, string>();
for (const path of globSync('web/messages/*/en.json', { cwd: root }))
  for (const id of idsIn(path))
    if (!/\/(onsite|console)\//.test(path)) partOf.set(id, basename(dirname(path)));
for (const id of idsIn('web/messages/en.json')) partOf.delete(id);

const all = (source: string, pattern: RegExp) => [...source.matchAll(pattern)].map(([, found = '']) => found);

function module(path: string) {
  const source = read(path);
  const file = (from: string) => (from.startsWith('#') ? from.slice(1) : join(dirname(path), from));
  // `text(`player.inApp.${action}`)` shows one of all messages with this beginning.
  const begun = [
    ...all(source, /(?:text|_)\(\s*`([\w.-]+\.)\$\{/g),
    ...all(source, /`([\w.-]+\.)\$\{[^`]*`\s*as const/g),
  ];
  const said = new Set(all(source, /['"`]([\w-]+(?:\.[\w-]+)+)['"`]/g));
  const shown = [...partOf].filter(([id]) => said.has(id) || begun.some((start) => id.startsWith(start)));
  return {
    imports: all(source, /^(?:import|export)\s(?!type\b)(?:[^;]*?from )?'([#.][^']+\.tsx?)';$/gm).map(file),
    loads: all(source, /\bimport\('([#.][^']+\.tsx?)'\)/g).map(file),
    has: all(source, /loadPart\('(\w+)'\)/g),
    shows: new Set(shown.map(([, part]) => part)),
  };
}

const modules = new Map(
  globSync('web/**/*.{ts,tsx}', { cwd: root })
    // A key of the browser's storage has the name of a message by chance.
    .filter((path) => !/\.test\.tsx?$|storage-keys/.test(path))
    .map((path) => [path, module(path)]),
);

/** What the browser loads together with a module. */
function together(path: string): ReturnType<typeof module>[] {
  const paths = new Set([path]);
  for (const one of paths) for (const other of modules.get(one)?.imports ?? []) paths.add(other);
  return [...paths].flatMap((one) => modules.get(one) ?? []);
}

const onDemand = new Set([...modules.values()].flatMap(({ loads }) => loads));
// What a site without an app puts into pages is there in all of them, and shown by some.
onDemand.delete('web/features/on-site/start.ts');
const starts = [...modules.keys()].filter((path) => path.startsWith('web/pages/') || onDemand.has(path));
const chunks = new Map(starts.map((path) => [path, together(path)]));

/** The parts that are there when a chunk is shown: its own, and those that everything has which loads it. */
function partsAt(path: string, from: string[] = []): Set<string> {
  const own = (chunks.get(path) ?? []).flatMap(({ has }) => has);
  const loaders = starts.filter(
    (one) => ![...from, path].includes(one) && chunks.get(one)?.some(({ loads }) => loads.includes(path)),
  );
  const [first, ...others] = loaders.map((one) => partsAt(one, [...from, path]));
  const inherited = [...(first ?? [])].filter((part) => others.every((parts) => parts.has(part)));
  return new Set([...own, ...inherited]);
}

it('whatever a page or a part of it shows has its messages loaded, whichever page was opened before', () => {
  const missing = starts.flatMap((path) => {
    const there = partsAt(path);
    const shown = new Set((chunks.get(path) ?? []).flatMap(({ shows }) => [...shows]));
    return [...shown].filter((part) => !there.has(part)).map((part) => `${path}: ${part}`);
  });
  expect(missing).toEqual([]);
});
