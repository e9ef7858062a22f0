import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Entry {
  module: string;
  imports?: string[];
}

interface BuiltRoute extends Entry {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
}

interface Manifest {
  entry: Entry;
  routes: Record<string, BuiltRoute>;
  url: string;
}

export interface ScriptSize {
  /** The route as it is written in URLs. */
  route: string;
  /** Compressed bytes of our own code, including icons, and of React and related libraries. */
  ours: number;
  libraries: number;
}

const client = fileURLToPath(new URL('../build/client', import.meta.url));

/** Size of a built file, as every browser on HTTPS receives it. */
const compressed = (file: string) => statSync(`${client}${file}.br`).size;

/** The script that a first visit to each route loads before the page can be used, in English. */
export function scriptSizes(): ScriptSize[] {
  const { entry, routes, url } = readManifest();
  const always = [url, messagesFile(), ...filesOf(entry), ...filesOf(routes.root)];
  return Object.values(routes)
    .filter(({ id }) => id !== 'root')
    .map((route) => {
      const files = [...new Set([...always, ...filesOf(route)])];
      const sum = (some: string[]) => some.reduce((bytes, file) => bytes + compressed(file), 0);
      return {
        route: route.index ? '/' : `/${route.path}`,
        ours: sum(files.filter((file) => !isLibrary(file))),
        libraries: sum(files.filter(isLibrary)),
      };
    });
}

/** React and related libraries (named in vite.config.ts), and the library for forms. */
const isLibrary = (file: string) => /^\/assets\/(foundation|index\.esm)-/.test(file);

/** A route's own file and all its imports; the build lists them transitively. */
const filesOf = (entry: Entry | undefined) => (entry ? [entry.module, ...(entry.imports ?? [])] : []);

const assets = () => readdirSync(`${client}/assets`).filter((name) => name.endsWith('.js'));

function readManifest(): Manifest {
  const name = assets().find((one) => one.startsWith('manifest-'));
  if (!name) throw new Error('the site is not built; npm run build builds it');
  const text = readFileSync(`${client}/assets/${name}`, 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Manifest;
}

/** A page does not import its messages: they are loaded before hydration. Parts of them, which only some pages load, are not counted. */
function messagesFile(): string {
  const name = assets().find(
    (one) =>
      /^en-[\w-]+\.js$/.test(one) && readFileSync(`${client}/assets/${one}`, 'utf8').includes('nav.main'),
  );
  if (!name) throw new Error('the build has no words in English');
  return `/assets/${name}`;
}
