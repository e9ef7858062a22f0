import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { foldCase } from './fold-case.ts';
import * as queries from './people.queries.ts';

/** As the site makes links of them (`web/features/words/parts-of.ts`). */
const mention =
  /(?<![\p{L}\p{M}\p{N}._-])@([\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}._-]{0,28}[\p{L}\p{M}\p{N}_-])?)(?![\p{L}\p{M}\p{N}])/gu;

/** Ids of the first people whose usernames a text has after an @, without these people and whoever is blocked for one of them. */
export async function listMentioned(
  db: Kysely<Tables>,
  text: string,
  without: readonly string[],
): Promise<string[]> {
  const usernames = [...text.matchAll(mention)].map(([, username = '']) => foldCase(username));
  const first = [...new Set(usernames)].slice(0, limits.mentionedPeople);
  return first.length === 0 ? [] : await queries.listByUsernames(db, first, without);
}
