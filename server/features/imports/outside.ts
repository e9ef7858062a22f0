import type { Extractor } from './extractor.ts';
import { createGuard, type Guard } from './guarded-fetch.ts';
import { createExtractor } from './sites.ts';

/** What stands outside our walls. A test hands the server another; no setting can. */
export interface Outside {
  guard: Guard;
  /** Absent where this server fetches no links. */
  extractor: Extractor | undefined;
}

/** The sites themselves, by the guarded fetch. */
export function theInternet({ linkImport }: { linkImport: boolean }): Outside {
  const guard = createGuard();
  return { guard, extractor: linkImport ? createExtractor(guard.fetch) : undefined };
}
