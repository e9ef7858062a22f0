import { Refusal } from '#server/platform/refusal.ts';
import { foldCase } from '../people/fold-case.ts';

/** Characters, as people count them. */
const atLeast = 8;

/** Whose password it is to be; what is not known yet is left out. */
export interface Owner {
  name: string;
  username: string;
  email: string;
}

/**
 * Refuses a new password that attackers try first: a short one, one of the commonest, or what everybody knows of its owner. Existing
 * passwords are not checked.
 */
export async function refuseWeakPassword(password: string, owner: Owner, field: string): Promise<void> {
  const shape = foldCase(password);
  if ([...new Intl.Segmenter().segment(password)].length < atLeast)
    throw new Refusal('weak_password', 'Please choose a password of at least 8 characters.', field);
  if ((await common()).has(shape))
    throw new Refusal(
      'weak_password',
      'Too many people use this password. Please choose another one.',
      field,
    );
  const known = [owner.name, owner.username, owner.email, owner.email.split('@')[0] ?? ''];
  const core = bare(password);
  // Where most of it is something else, a name inside is no weakness.
  if (core.length * 2 >= password.length && known.some((word) => bare(word) === core))
    throw new Refusal('weak_password', 'Please choose a password that is not your name or address.', field);
}

/** Letters alone, or all of it where there are none: with a number, a dot or a capital letter a name is still guessed. */
function bare(text: string): string {
  const folded = foldCase(text);
  return folded.replaceAll(/[^\p{L}\p{M}]/gu, '') || folded;
}

let list: Promise<ReadonlySet<string>> | undefined;

/** The commonest passwords, read when the first new one comes: that takes a tenth of a second. */
function common(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter((password) => password.length >= atLeast)),
  );
  return list;
}
