import type { Destination } from '#contract/payouts.ts';
import type { Config } from '#server/config.ts';
import { filePayer } from './file.ts';
import type { ApiPayer, Payer } from './payer.ts';
import { razorpayx } from './razorpayx.ts';

type Settings = Config['payouts'];

/** The payer for whose API this site has keys, whether it pays new batches or only has earlier payments. */
export const apiPayerOf = ({ razorpayx: settings }: Settings): ApiPayer | undefined =>
  settings && razorpayx(settings);

/** The payer of this name; undefined if this site has no keys for it. */
export const payerNamed = (settings: Settings, name: string): Payer | undefined =>
  name === 'file' ? filePayer(settings.columns) : apiPayerOf(settings);

/**
 * Whether the payer of this name can pay to this destination: it may not accept the script of an account's name. A UPI
 * id has no name.
 */
export function takesDestination(settings: Settings, payer: string, destination: Destination): boolean {
  return destination.kind === 'upi' || payerNamed(settings, payer)?.takesName(destination.name) !== false;
}
