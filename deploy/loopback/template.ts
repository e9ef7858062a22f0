import { readFile } from 'node:fs/promises';

/** A file beside this folder with the names in braces filled in, as the container's start does it. Throws where one is left. */
export async function filled(name: string, values: Record<string, string | number>): Promise<string> {
  const text = await readFile(new URL(`../${name}`, import.meta.url), 'utf8');
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (_whole, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name} asks for ${key}`);
    return String(value);
  });
}
