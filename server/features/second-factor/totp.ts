import { Secret, TOTP } from 'otpauth';

/** The parameters that every authenticator app supports (RFC 6238). */
const period = 30;
/** A phone's clock may be this many periods ahead or behind. */
const drift = 1;

export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** 80 random bits in groups that people can copy by hand. */
export function newCode(): string {
  return new Secret({ size: 10 }).base32.toLowerCase().replace(/.{4}(?=.)/g, '$&-');
}

/** Normalizes a typed code. */
export function codeAsTyped(typed: string): string {
  const plain = typed.replace(/[\s-]/g, '').toLowerCase();
  return plain.length === 16 ? plain.replace(/.{4}(?=.)/g, '$&-') : plain;
}

/** The URI that an app reads from the QR code. */
export function addressOf(secret: string, { username, site }: { username: string; site: string }): string {
  return new TOTP({ issuer: site, label: username, secret: Secret.fromBase32(secret), period }).toString();
}

/** The time step of a code; undefined for a wrong one, and for one of another time. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    secret: Secret.fromBase32(secret),
    token: code,
    period,
    timestamp,
    window: drift,
  });
  return delta === null ? undefined : TOTP.counter({ period, timestamp }) + delta;
}
