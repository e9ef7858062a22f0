import type { z } from 'zod';
import { invalid } from './invalid.ts';

/** RFC 5321: signs and letters between single dots. Quoted names, such as `"a b"@…`, are not accepted. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/** Characters allowed in a domain before it is converted. A URL parser would read others as a path, a port or a password. */
const typedDomain = /^(?:\p{L}|\p{M}|\p{N}|\p{Join_Control}|[.\u3002\uff0e\uff61-])+$/u;
const domain =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * The one form of an address that is stored, compared and mailed: the domain in small letters and as punycode, so that
 * `asha@डाटा.भारत` and `asha@xn--c2br7g.xn--h2brj9c` are one account. Undefined if it is not an address.
 */
export function normalEmail(typed: string): string | undefined {
  const at = typed.lastIndexOf('@');
  const [local, host] = [typed.slice(0, at), typed.slice(at + 1)];
  if (at < 1 || local.length > 64 || !localPart.test(local) || !typedDomain.test(host)) return undefined;
  const ascii = URL.parse(`http://${host}`)?.hostname;
  return ascii && domain.test(ascii) && at + ascii.length < 254 ? `${local}@${ascii}` : undefined;
}

/** The normal form for login and password recovery. Text that is not an address is accepted too, and matches no account. */
export const normalEmailOr = (typed: string): string => normalEmail(typed) ?? typed;

const notAscii = /[^\p{ASCII}].*@/u;

/** An e-mail address with any domain, in its normal form; `typed` is the text with its own limits. */
export const emailField = (typed: z.ZodString) =>
  typed
    .refine((value) => !notAscii.test(value), {
      error: invalid('email_letters'),
      abort: true,
    })
    .overwrite(normalEmailOr)
    .refine((value) => normalEmail(value) !== undefined, { error: invalid('email') });
