import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countedWorks, type SearchedKind, searchedKinds } from '#contract/search.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Matches } from './matches.ts';

/** How long a statement of a search may take, in milliseconds. */
const longest = 2000;
/** Similar words are sought only where the words themselves find less than this. */
export const enough = 10;

/**
 * Runs the statements of a search. One that takes too long is cancelled, and the answer is 503 (`platform/transient-errors.ts`). They read by
 * indexes alone, and in their order where that is asked for, also where PostgreSQL does not know how many entries have a word or works have a tag;
 * without parallel workers, which would mix the order of results; and they are not compiled, since they are short.
 */
export async function searching<T>(db: Kysely<Tables>, run: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(longest)}, true), set_config('jit', 'off', true),
        set_config('max_parallel_workers_per_gather', '0', true), set_config('enable_seqscan', 'off', true),
        set_config('enable_sort', 'off', true)`.execute(trx);
      return await run(trx);
    });
}

/** A work `w` of the person `p` that is public now, also for the viewer. */
const publicWork = (viewerId: string | undefined) => sql<boolean>`w.published_at is not null
  and p.suspended_at is null and ${notBlocked(viewerId, 'w.creator_id')}`;

/** The public works `of` a tag, with their spellings of it. Its limit lets PostgreSQL look at one work after the other, and stop when there are enough. */
const worksOfTag = (tagId: RawBuilder<unknown>, viewerId: string | undefined) => sql`work_tags of, lateral (
    select from works w join people p on p.id = w.creator_id where w.id = of.work_id and ${publicWork(viewerId)} limit 1
  ) public_work where of.tag_id = ${tagId}`;

export interface List {
  kind: SearchedKind;
  matches: Matches;
  /** What matches so is left out. */
  except: Matches;
  limit: number;
}

export interface Found {
  kind: SearchedKind;
  id: string;
}

/** Those of these matches that are by words, as one tsquery; null if there are none. */
const anyOf = (matches: Matches) => {
  const queries = matches.flatMap((one) => ('part' in one ? [] : [one.words]));
  return queries.length > 0 ? queries.map((query) => `(${query})`).join(' | ') : null;
};
const partOf = (matches: Matches) => {
  const part = matches.find((one) => 'part' in one)?.part;
  return part === undefined ? null : `%${part}%`;
};

/** The matches of a list, each with what matches better: those are left out of it. */
function matchesOf({ matches, except }: List): string {
  return JSON.stringify(
    matches.map((match, place) => {
      const better = [...except, ...matches.slice(0, place)];
      const words = anyOf([match]);
      const betterWords = anyOf(better);
      return {
        words,
        first_words: 'first' in match ? match.first : null,
        part: partOf([match]),
        better: betterWords,
        better_part: partOf(better),
        // The functions have parameters of their own for the last two tiers.
        last_words: words,
        last_better: betterWords,
      };
    }),
  );
}

const functions = {
  reel: 'found_reels',
  post: 'found_posts',
  person: 'found_people',
  tag: 'found_tags',
} as const;

/** What matches and is public now, each list in its order (`migrations/0520_found_works.ts`). */
export async function listMatches(
  trx: Kysely<Tables>,
  viewerId: string | undefined,
  lists: readonly List[],
): Promise<Found[]> {
  const queries = lists
    .filter(({ matches }) => matches.length > 0)
    .map(
      (list) => sql`select ${sql.lit(list.kind)} as kind, id
        from ${sql.id(functions[list.kind])}(${matchesOf(list)}::jsonb, ${viewerId ?? null}, ${list.limit}) as id`,
    );
  if (queries.length === 0) return [];
  return (await sql<Found>`${sql.join(queries, sql` union all `)}`.execute(trx)).rows;
}

/** Those of these words that something public has. */
export async function listPublicWords(
  trx: Kysely<Tables>,
  viewerId: string | undefined,
  keys: readonly string[],
): Promise<string[]> {
  const isPublic = searchedKinds.map(
    (kind) => sql`exists (select from ${sql.id(functions[kind])}(
      jsonb_build_array(jsonb_build_object('words', key, 'last_words', key)), ${viewerId ?? null}, 1))`,
  );
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key where ${sql.join(isPublic, sql` or `)}`.execute(trx);
  return rows.map(({ key }) => key);
}

/** The words with this prefix, or undefined if they are more than this. */
export async function listWordsWithPrefix(
  trx: Kysely<Tables>,
  prefix: string,
  most: number,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ key: string }>`
    select key from search_words where key collate "C" >= ${prefix} and key collate "C" < ${`${prefix}{`}
    limit ${most + 1}`.execute(trx);
  return rows.length > most ? undefined : rows.map(({ key }) => key);
}

/** Words with a spelling in common that are looked at: a natural word has some tens. */
const looked = 2000;

/** Words that exist and look like those of these that fewer than `enough` reels, posts and people have, most similar first. */
export async function listAlike(
  trx: Kysely<Tables>,
  words: readonly string[],
): Promise<{ asked: string; key: string; word: string }[]> {
  const { rows } = await sql<{ asked: string; key: string; word: string }>`
    select asked, alike.key, alike.word from unnest(${words}::text[]) as asked, lateral (
      select key, word from (select key, word from search_words where spellings(key) && spellings(asked) limit ${sql.lit(looked)}) candidates
      order by similarity(key, asked) desc, key limit 40
    ) alike where entries_with(asked, ${sql.lit(enough)}) < ${sql.lit(enough)}`.execute(trx);
  return rows;
}

/** Tags with their newest public reels, then photos, counted up to a number, and as most of these write them. Part of `searching`. */
export async function tagsByIds(trx: Kysely<Tables>, viewerId: string | undefined, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; tag: string; label: string; works: number }>`
    select t.id, t.key as tag, coalesce(public.label, t.key) as label, public.works
    from tags t, lateral (
      select count(*)::int as works, mode() within group (order by label) as label
      from (
        select of.label from ${worksOfTag(sql`t.id`, viewerId)}
        order by of.kind desc, of.work_id desc limit ${sql.lit(countedWorks)}
      ) one
    ) public
    where t.id = any(${ids}::uuid[])`.execute(trx);
  return rows;
}

/** The newest tags with public works. */
export async function listPublicTags(db: Kysely<Tables>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from tags t where exists (select from ${worksOfTag(sql`t.id`, undefined)}) order by id desc limit ${limit}`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

export function findTag(db: Kysely<Tables>, key: string) {
  return db.selectFrom('tags').select('id').where('key', '=', key).executeTakeFirst();
}

/** The ids of a tag's public works of a kind, newest first, before an id. */
export async function listWorksOfTag(
  db: Kysely<Tables>,
  { tagId, kind, viewerId }: { tagId: string; kind: 'reel' | 'post'; viewerId: string | undefined },
  limit: number,
  before: string | undefined,
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select of.work_id as id from ${worksOfTag(sql`${tagId}`, viewerId)} and of.kind = ${sql.lit(kind)}
      and ${before ? sql`of.work_id < ${before}` : sql`true`}
    order by of.work_id desc limit ${limit}`.execute(db);
  return rows;
}

interface Day {
  since: Date;
  viewerId: string | undefined;
  /** At least so many people, and at most so many results. */
  people: number;
  most: number;
}

/** The tags that most people published with since then; each person counts once. */
export async function listTrendingTags(
  db: Kysely<Tables>,
  { since, viewerId, people, most }: Day,
): Promise<{ id: string; people: number }[]> {
  const { rows } = await sql<{ id: string; people: number }>`
    select of.tag_id as id, count(distinct w.creator_id)::int as people
    from works w join people p on p.id = w.creator_id join work_tags of on of.work_id = w.id
    where w.kind in ('reel', 'post') and w.published_at >= ${since} and ${publicWork(viewerId)}
    group by 1 having count(distinct w.creator_id) >= ${people}
    order by 2 desc, 1 desc limit ${most}`.execute(db);
  return rows;
}

/** The same for the categories of reels. */
export async function listTrendingCategories(
  db: Kysely<Tables>,
  { since, viewerId, people, most }: Day,
): Promise<{ id: string; people: number }[]> {
  const { rows } = await sql<{ id: string; people: number }>`
    select category as id, count(distinct w.creator_id)::int as people
    from works w join people p on p.id = w.creator_id, unnest(w.categories) as category
    where w.kind in ('reel', 'post') and w.published_at >= ${since} and ${publicWork(viewerId)}
    group by 1 having count(distinct w.creator_id) >= ${people}
    order by 2 desc, 1 limit ${most}`.execute(db);
  return rows;
}
