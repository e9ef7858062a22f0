import { createHmac } from 'node:crypto';
import { bankLettersOf } from '#contract/merged-banks.ts';
import type { Destination } from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';

/** The first byte of each fingerprint. It changes with what the hash is made of, so that a job finds the fingerprints to make again. */
export const form = 1;

/**
 * A keyed hash of a destination, equal for everybody who is paid at the same account. The name does not matter, and neither does the branch
 * in the IFSC: a bank pays an account by its number, whichever of its branches is named.
 */
export function fingerprintOf({ keyring }: Context<'keyring'>, destination: Destination): Buffer {
  const identity =
    destination.kind === 'upi'
      ? ['upi', destination.vpa]
      : ['bank', bankLettersOf(destination.ifsc), destination.account];
  const hash = createHmac('sha256', keyring.secret('destinations')).update(JSON.stringify(identity)).digest();
  return Buffer.concat([Buffer.of(form), hash]);
}
