import { z } from 'zod';
import { isSecureOrigin } from './platform/is-secure-origin.ts';

const secure = 'it must be an https address (http only on a loopback host)';

/** An address on the web. `fetch` refuses one with a user and password. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'it must be an address such as https://jhalak.example', abort: true })
  .refine(
    without(({ username, password }) => username + password),
    {
      error: 'it must have no user and password',
      abort: true,
    },
  )
  .transform((address) => address.replace(/\/+$/, ''));

/** An address that the paths of requests begin with. */
export const baseAddress = webAddress
  .refine(
    without(({ search, hash, href }) => search + hash || /[?#]/.exec(href)?.[0]),
    {
      error: 'it must end before “?” and “#”',
      abort: true,
    },
  )
  .transform((address) => new URL(address).href.replace(/\/+$/, ''));

/** A scheme and a host, written as browsers write them in `Origin`. */
export const originAddress = baseAddress
  .refine(
    without(({ pathname }) => pathname.replace(/^\/+$/, '')),
    {
      error: 'it must be a scheme and a host without a path, such as https://jhalak.example',
      abort: true,
    },
  )
  .transform((address) => new URL(address).origin);

export const secureBaseAddress = baseAddress.refine(isSecureOrigin, { error: secure });

/** An issuer is compared exactly as it appears in its tokens, including a slash at its end. */
export const issuerAddress = z
  .url({ abort: true })
  .refine(isSecureOrigin, { error: secure, abort: true })
  .refine(
    without(({ username, password, search, hash }) => username + password + search + hash),
    {
      error: 'it must have no user, no query and no fragment',
    },
  );

function without(part: (url: URL) => string | undefined): (address: string) => boolean {
  return (address) => !part(new URL(address));
}
