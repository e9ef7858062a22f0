import type { Extractor } from '../features/imports/extractor.ts';
import { createGuard, type Guard } from '../features/imports/guarded-fetch.ts';
import { internet } from '../features/imports/network.ts';
import { createExtractor } from '../features/imports/sites.ts';
import { fcmHosts, pushHosts } from '../features/notifications/push/hosts.ts';

/** The external systems of the server. Tests replace them; no setting does. */
export interface Outside {
  guard: Guard;
  /** Like `guard`, but only for push services. Without it no push messages are sent. */
  push?: Guard;
  /** Undefined if this server does not import links. */
  extractor: Extractor | undefined;
}

/** The real sites, through the guarded fetch. */
export function theInternet({ linkImport }: { linkImport: boolean }): Outside {
  const guard = createGuard();
  return {
    guard,
    push: createGuard(internet, [...pushHosts, ...fcmHosts]),
    extractor: linkImport ? createExtractor(guard.fetch) : undefined,
  };
}
