import { checkAddress } from '#server/features/imports/hosts.ts';

/** The push services of browsers, with their subdomains. Without this list a browser could make the server send requests to any host. */
export const pushHosts = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
];
/** The push service of the mobile app. */
export const appHost = 'fcm.googleapis.com';
export const fcmHosts = [appHost, 'oauth2.googleapis.com'];

/** The push service to which a URL belongs. */
export const pushServiceOf = (endpoint: string) => pushHosts.find((host) => isAt(endpoint, host));

function isAt(endpoint: string, host: string): boolean {
  try {
    checkAddress(new URL(endpoint), [host]);
    return true;
  } catch {
    return false;
  }
}
