import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Cookies } from '#server/platform/route.ts';
import type { Places } from './places.ts';

/*
 * Browsers from which an account has logged in with its password (decision 0047). The server stores nothing about them:
 * the cookie `device` holds an entry for each of the last accounts, signed with the account and its current password
 * hash. So an entry alone gives no access, is void for any other account, and becomes void when the password changes.
 * An entry is 12 random bytes, the time of the login in seconds, and a signature of 16 bytes.
 */
const name = 'device';
/** The browser sends it only with logins. */
const path = '/api/signin';
const days = 365;
const entries = 8;
const isEntry = /^[\w-]{43}$/;
const signedLength = 16;

interface Account {
  id: string;
  password_hash: string | null;
}

/** The key under which tries from this browser are counted; undefined if the account has not logged in from it. */
export function knownDevice(
  places: Places,
  cookies: Cookies,
  account: Account,
  now: Date,
): Buffer | undefined {
  const known = entriesIn(cookies).find((entry) => isOf(places, entry, account, now));
  // By its bytes, since the same bytes have several encodings.
  return known === undefined
    ? undefined
    : places.key('device', account.id, Buffer.from(known, 'base64url').toString('hex'));
}

/** Makes the browser a known device of the account; called after the right password. */
export function rememberDevice(places: Places, cookies: Cookies, account: Account, now: Date): void {
  const others = entriesIn(cookies).filter((entry) => !isOf(places, entry, account, now));
  const signed = Buffer.alloc(signedLength);
  randomBytes(12).copy(signed);
  signed.writeUInt32BE(Math.floor(now.getTime() / 1000), 12);
  const entry = Buffer.concat([signed, signatureOf(places, signed, account)]).toString('base64url');
  const value = [entry, ...others].slice(0, entries).join('.');
  cookies.set({ name, value, path, maxAge: days * 24 * 60 * 60 });
}

function entriesIn(cookies: Cookies): string[] {
  const sent = cookies.read(name)?.split('.', entries) ?? [];
  return sent.filter((entry) => isEntry.test(entry));
}

function isOf(places: Places, entry: string, account: Account, now: Date): boolean {
  const bytes = Buffer.from(entry, 'base64url');
  const signed = bytes.subarray(0, signedLength);
  if (!timingSafeEqual(bytes.subarray(signedLength), signatureOf(places, signed, account))) return false;
  return now.getTime() - signed.readUInt32BE(12) * 1000 < days * 24 * 60 * 60 * 1000;
}

function signatureOf(places: Places, signed: Buffer, { id, password_hash }: Account): Buffer {
  return places.key('device entry', signed.toString('hex'), id, password_hash ?? '');
}
