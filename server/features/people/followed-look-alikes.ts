import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { areAlike, lookKey } from './look-alikes.ts';
import * as queries from './people.queries.ts';

/** From so many followers on a username is worth imitating, and worth refusing its look-alikes to others. */
const followers = 100;

/** Whether a new username looks like that of another person whom many follow. */
export async function looksLikeFollowed(
  db: Kysely<Tables>,
  username: string,
  personId?: string,
): Promise<boolean> {
  const key = lookKey(username);
  const others = await queries.listFollowedLookAlikes(db, { key, followers, except: personId });
  return others.some((other) => areAlike(username, other));
}

/** Throws if a new username looks like that of another person whom many follow. */
export async function refuseLookAlike(
  db: Kysely<Tables>,
  username: string,
  personId?: string,
): Promise<void> {
  if (await looksLikeFollowed(db, username, personId))
    throw new Refusal('name_refused', { what: 'alike' }, 'username');
}
