import type { Context } from '#server/platform/context.ts';
import * as destinations from '../destinations/destination.ts';
import { replaceFingerprint } from './attempts.queries.ts';

/** Checks stored destinations by the rules of now, and replaces changed fingerprints also in what was paid. */
export const checkDestinations = (
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
): Promise<void> => destinations.checkDestinations(context, replaceFingerprint);
