import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import { mention } from '#contract/tags-and-mentions.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { foldCase } from './fold-case.ts';
import * as queries from './people.queries.ts';

/** Ids of the first people mentioned in a text, except these people and those with a block between them and one of these. */
export async function listMentioned(
  db: Kysely<Tables>,
  text: string,
  without: readonly string[],
): Promise<string[]> {
  const usernames = [...text.matchAll(mention)].map(([, username = '']) => foldCase(username));
  const first = [...new Set(usernames)].slice(0, limits.mentionedPeople);
  return first.length === 0 ? [] : await queries.listByUsernames(db, first, without);
}
