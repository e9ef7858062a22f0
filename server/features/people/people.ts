import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { Person, Self } from '#contract/people.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { photoCard, pictureUrl } from '../stored-files/urls.ts';
import { photoSize } from '../uploads/photos.ts';
import * as queries from './people.queries.ts';

export const hasPeople = queries.hasPeople;
export const searchEverybody = queries.searchEverybody;

type Row = NonNullable<Awaited<ReturnType<typeof queries.findPerson>>>;

/** A person as others see them. Throws if the person is unknown, suspended, or blocked for the viewer. */
export async function showPerson(
  { db, config }: Context<'db' | 'config'>,
  id: string,
  viewerId?: string,
): Promise<Person> {
  const { mediaOrigin } = config;
  const row = await find(db, id, viewerId);
  const size = row.picture_key ? await photoSize(db, row.picture_key) : undefined;
  const card = row.picture_key && size ? photoCard(row.picture_key, size) : undefined;
  return { ...asPerson(row, mediaOrigin), ...(card ? { card } : {}) };
}

/** Those of these people who are shown, by their ids. */
export async function peopleById(
  { db, config }: Context<'db' | 'config'>,
  ids: readonly string[],
  viewerId: string | undefined,
): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.listByIds(db, viewerId, ids);
  return new Map(rows.map((row) => [row.id, asPerson(row, config.mediaOrigin)]));
}

/** A person as they see themselves. */
export async function showSelf({ db, config }: Context<'db' | 'config'>, id: string): Promise<Self> {
  const row = await find(db, id, id);
  return {
    ...asPerson(row, config.mediaOrigin),
    email: row.email,
    emailVerified: row.email_verified_at !== null,
  };
}

/** Lists all people, or those found by name or username, in pages. */
export async function listPeople(
  { db, config }: Context<'db' | 'config'>,
  { q, limit, cursor }: Page & { q?: string | undefined },
  viewerId?: string,
): Promise<{ data: Person[]; nextCursor: string | null }> {
  const after = readCursor(cursor);
  const rows: (Row & { rank?: number })[] = q
    ? await queries.searchPeople(db, { viewerId, words: q }, limit + 1, after)
    : await queries.listPeople(db, viewerId, limit + 1, after);
  const position = (row: Row & { rank?: number }) => ({
    at: row.created_at,
    id: row.id,
    rank: row.rank ?? 0,
  });
  return pageOf(rows, limit, position, (row) => asPerson(row, config.mediaOrigin));
}

async function find(db: Kysely<Tables>, id: string, viewerId: string | undefined): Promise<Row> {
  const row = await queries.findPerson(db, id, viewerId);
  if (!row) throw notFound('user');
  return row;
}

/** Converts a row to the contract's form. */
export function asPerson(row: Row, mediaOrigin: string): Person {
  return {
    _id: row.id,
    name: row.name,
    username: row.username,
    profilePic: pictureUrl(row.picture_key, mediaOrigin),
    followers: row.followers,
    following: row.following,
    followerCount: row.follower_count,
    followingCount: row.following_count,
    reelCount: row.reel_count,
    postCount: row.post_count,
    createdAt: row.created_at.toISOString(),
  };
}
