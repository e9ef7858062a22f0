import { checkAddress } from '#server/features/imports/hosts.ts';

/** The push services of browsers, with their subdomains. A browser that named another host could make us ask anybody. */
export const pushHosts = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
];
/** Of the mobile app. */
export const appHost = 'fcm.googleapis.com';
export const fcmHosts = [appHost, 'oauth2.googleapis.com'];

/** Which of the push services an address belongs to. */
export const pushServiceOf = (endpoint: string) => pushHosts.find((host) => isAt(endpoint, host));

function isAt(endpoint: string, host: string): boolean {
  try {
    checkAddress(new URL(endpoint), [host]);
    return true;
  } catch {
    return false;
  }
}
