import { readFile } from 'node:fs/promises';

/** A file of `deploy/` with the variables in braces substituted, as the container's start does it. Throws if one has no value. */
export async function filled(name: string, values: Record<string, string | number>): Promise<string> {
  const text = await readFile(new URL(`../${name}`, import.meta.url), 'utf8');
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (_whole, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name} asks for ${key}`);
    return String(value);
  });
}
