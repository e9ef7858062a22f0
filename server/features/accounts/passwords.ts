import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's defaults (19 MiB, 2 passes): OWASP's first recommendation. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'));
}

/**
 * Whether `password` is the one behind `stored`. With no stored hash the same work is done for nothing,
 * so that the time an answer takes does not tell whether the account exists, or has a password at all.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  unused ??= hashPassword('an account that does not exist');
  const matches = await verify(stored ?? (await unused), password.normalize('NFC'));
  return typeof stored === 'string' && matches;
}

let unused: Promise<string> | undefined;
