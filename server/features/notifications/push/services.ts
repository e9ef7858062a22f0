import type { Config } from '#server/config.ts';
import type { GuardedFetch } from '#server/features/imports/guarded-fetch.ts';
import type { Context } from '#server/platform/context.ts';
import { fcm } from './fcm.ts';
import type { Services } from './sending.ts';
import { siteKeys, webPush } from './web-push.ts';

interface PushServicesContext extends Context<'clock' | 'keyring'> {
  config: Pick<Config, 'origin' | 'fcmAccount'>;
  fetch: GuardedFetch | undefined;
}

/** The push services of this site, and the key for browsers to subscribe. */
export function openServices({ clock, keyring, config, fetch }: PushServicesContext): {
  services: Services;
  isAppReached: boolean;
  publicKey: string | null;
} {
  const { origin, fcmAccount } = config;
  if (!fetch) return { services: {}, isAppReached: false, publicKey: null };
  const app = fcmAccount ? fcm({ fetch, clock, account: fcmAccount }) : undefined;
  const keys = siteKeys(keyring.secret('push'));
  return {
    services: {
      ...(app ? { android: app, ios: app } : {}),
      ...(origin ? { web: webPush({ fetch, clock, keys, origin }) } : {}),
    },
    isAppReached: app !== undefined,
    publicKey: origin ? keys.publicKey : null,
  };
}
