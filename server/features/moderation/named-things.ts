import type { Kysely } from 'kysely';
import type { NamedThing } from '#contract/operators.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './named-things.queries.ts';

/** At most so many letters of a text name a thing. */
const shownLetters = 200;
const named = ['report', 'reel', 'post', 'story', 'comment', 'person'];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What these are in words: the things of cases as they were reported, others as they are now; by `kind:id`. What was deleted has no words, and
 * what may show a child has them only for who may see that.
 */
export async function nameThings(
  db: Kysely<Tables>,
  targets: readonly { kind: string; id: string }[],
  seesChildren: boolean,
): Promise<Map<string, NamedThing>> {
  const asked = targets.filter(({ kind, id }) => named.includes(kind) && uuid.test(id));
  if (asked.length === 0) return new Map();
  const rows = await queries.nameThings(db, asked, shownLetters);
  return new Map(
    rows
      .filter(({ is_child: isChild }) => seesChildren || !isChild)
      .map(({ asked_kind, id, kind, words, owner }) => [
        `${asked_kind}:${id}`,
        { kind, words: words ?? '', owner: owner ?? '' },
      ]),
  );
}
