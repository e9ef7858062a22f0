import { z } from 'zod';

/** An app that may use passkeys of this site. */
export type AppOrigin =
  | { system: 'android'; name: string; fingerprint: string }
  | { system: 'ios'; name: string };

const fingerprint = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/;

/** `android:com.example.app:14:6D:…, ios:TEAM123456.com.example.app` */
export const appOrigins = z.string().transform((value, { addIssue }) =>
  value.split(',').flatMap((entry): AppOrigin[] => {
    const [system, name = '', ...bytes] = entry.trim().split(':');
    const print = bytes.join(':').toUpperCase();
    if (system === 'ios' && name && bytes.length === 0) return [{ system, name }];
    if (system === 'android' && name && fingerprint.test(print))
      return [{ system, name, fingerprint: print }];
    addIssue('each must be android:<package>:<SHA-256 of its certificate> or ios:<team>.<bundle>');
    return [];
  }),
);

/** The relying party of passkeys, as browsers and authenticators know it. */
export interface RelyingParty {
  id: string;
  /** Whether a response may come from a page of this origin, or from this app. */
  accepts(origin: string): boolean;
}

/** By the site's address; without one passkeys work only on localhost, with any port. */
export function relyingPartyOf(origin: string | undefined, apps: readonly AppOrigin[]): RelyingParty {
  if (!origin) return { id: 'localhost', accepts: (claimed) => URL.parse(claimed)?.hostname === 'localhost' };
  const own = new URL(origin);
  const known = new Set([own.origin, ...apps.flatMap(originOf)]);
  return { id: own.hostname, accepts: (claimed) => known.has(claimed) };
}

/** The origin of an app that Android signs; iOS signs the site's own. */
function originOf(app: AppOrigin): string[] {
  if (app.system === 'ios') return [];
  const bytes = Buffer.from(app.fingerprint.replaceAll(':', ''), 'hex');
  return [`android:apk-key-hash:${bytes.toString('base64url')}`];
}

/** `/.well-known/assetlinks.json`: Android reads there which apps belong to the site. */
export const assetLinksOf = (apps: readonly AppOrigin[]) =>
  apps.flatMap((app) =>
    app.system === 'android'
      ? [
          {
            relation: ['delegate_permission/common.get_login_creds'],
            target: {
              namespace: 'android_app',
              package_name: app.name,
              sha256_cert_fingerprints: [app.fingerprint],
            },
          },
        ]
      : [],
  );

/** `/.well-known/apple-app-site-association` */
export const appleAssociationOf = (apps: readonly AppOrigin[]) => ({
  webcredentials: { apps: apps.flatMap((app) => (app.system === 'ios' ? [app.name] : [])) },
});
