import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The browser needs only addresses and plain values of contract files, because the server
 * validates. So this plugin removes schemas, and with them zod, from its script; types are not affected.
 */
export function contractInBrowser(): Plugin {
  return {
    name: 'jhalak:contract-in-browser',
    enforce: 'pre',
    async load(id) {
      if (this.environment.name !== 'client' || !id.includes(`${sep}contract${sep}`)) return;
      if (!(await readFile(id, 'utf8')).includes("from 'zod'")) return;
      const module = (await import(`${pathToFileURL(id)}?${Date.now()}`)) as Record<string, unknown>;
      return Object.entries(module)
        .map(([name, value]) => [name, plain(value)] as const)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

function plain(value: unknown): unknown {
  if (typeof value === 'function') return;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('_zod' in value || value instanceof Map) return;
  if ('method' in value && 'path' in value) {
    const { method, path } = value;
    // By its role the console knows which parts and acts to offer.
    return { method, path, ...('role' in value ? { role: value.role } : {}) };
  }
  return value;
}
