import { shortestPassword } from '#contract/password.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { foldCase } from '../people/fold-case.ts';

/** The owner of the new password, as far as known. */
export interface Owner {
  name: string;
  username: string;
  email: string;
}

/**
 * Refuses a new password that attackers try first: a short one, a very common one, or public data of its owner. Existing passwords are not
 * checked.
 */
export async function refuseWeakPassword(password: string, owner: Owner, field: string): Promise<void> {
  const shape = foldCase(password);
  if ([...new Intl.Segmenter().segment(password)].length < shortestPassword)
    throw new Refusal('weak_password', { what: 'short' }, field);
  if ((await common()).has(shape)) throw new Refusal('weak_password', { what: 'common' }, field);
  const known = [owner.name, owner.username, owner.email, owner.email.split('@')[0] ?? ''];
  const core = bare(password);
  // A name is no weakness if it is a small part of the password.
  if (core.length * 2 >= password.length && known.some((word) => bare(word) === core))
    throw new Refusal('weak_password', { what: 'own' }, field);
}

/** Only the letters, or everything if there are none: a name with digits, dots or capitals is still easy to guess. */
function bare(text: string): string {
  const folded = foldCase(text);
  return folded.replaceAll(/[^\p{L}\p{M}]/gu, '') || folded;
}

let list: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords, loaded at first use, which takes a tenth of a second. */
function common(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter((password) => password.length >= shortestPassword)),
  );
  return list;
}
