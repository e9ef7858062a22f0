import { foldCase } from './fold-case.ts';
import { lookKey } from './look-alikes.ts';

/** The form in which names and the words of a search are compared: without case, compatibility forms and invisible characters. */
export function nameKey(text: string): string {
  return foldCase(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''));
}

/** A name with its key, as they are stored. */
export const storedName = (name: string) => ({ name, name_key: nameKey(name) });

/** A username with its keys, as they are stored. */
export const storedUsername = (username: string) => ({
  username,
  username_key: foldCase(username),
  look_key: lookKey(username),
});
