import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import * as queries from './review.queries.ts';

/** How long what is known of it holds, in milliseconds: as long as a page is kept. */
const fresh = 1000;

/**
 * Says whether the files under a key are withheld because they are taken down, asking the database once a second at most:
 * also what another process took down is known within it. While the database does not answer, the last answer holds.
 */
export function withheldFiles(db: Kysely<Tables>): (key: string) => Promise<boolean> {
  let known: Promise<Set<string>> | undefined;
  let until = 0;
  return async (key) => {
    if (!known || performance.now() > until) {
      until = performance.now() + fresh;
      const before = known;
      known = queries.takenDownKeys(db).then(
        (keys) => new Set(keys),
        (error: unknown) => {
          if (before) return before;
          known = undefined;
          throw error;
        },
      );
    }
    return (await known).has(key);
  };
}
