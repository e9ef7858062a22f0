import { sessionNetworks } from '../features/accounts/sessions.ts';
import { destinationDetails } from '../features/destinations/destination.ts';
import { mailParameters } from '../features/mail/outbox.ts';
import { deviceTokens } from '../features/notifications/devices.ts';
import { factorSecrets } from '../features/second-factor/second-factor.ts';
import { attemptDestinations } from '../features/withdrawals/attempts.ts';
import type { SealedColumn } from '../platform/keyring/reencryption.ts';

/** Every column that is encrypted by the keyring: `reencrypt` encrypts them with the newest key. */
export const sealedColumns: readonly SealedColumn[] = [
  sessionNetworks,
  mailParameters,
  destinationDetails,
  attemptDestinations,
  deviceTokens,
  ...factorSecrets,
];
