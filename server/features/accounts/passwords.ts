import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#server/platform/refusal.ts';

/** Argon2id with the library's defaults (19 MiB, 2 passes): OWASP's first recommendation. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'));
}

/**
 * Whether `password` matches the stored hash. Without a stored hash a dummy hash is verified, so that the response time
 * does not reveal whether the account exists or has a password.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  unused ??= hashPassword('an account that does not exist');
  const matches = await verify(stored ?? (await unused), password.normalize('NFC'));
  return typeof stored === 'string' && matches;
}

let unused: Promise<string> | undefined;

/** The message when a signed-in person enters a wrong current password. */
export const noPassword = () => new Refusal('no_password', { what: 'change' });
export const wrongPassword = () => new Refusal('wrong_password', {}, 'password');
