import { fcmHosts, pushHosts } from '../notifications/push/hosts.ts';
import type { Extractor } from './extractor.ts';
import { createGuard, type Guard } from './guarded-fetch.ts';
import { internet } from './network.ts';
import { createExtractor } from './sites.ts';

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
