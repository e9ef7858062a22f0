import { sql } from 'kysely';
import { newId, newKey } from '#server/platform/ids.ts';
import { dayMs, earlierBegin, monthBegin } from './calendar.ts';
import { type Draw, type Habit, openedAt, visitsOf } from './habits.ts';
import type { Site } from './site.ts';

export interface Size {
  creators: number;
  people: number;
  /** As a share of the people. */
  signedIn: number;
}

/** The people of a site without groups and attackers. */
export interface Population {
  creators: string[];
  reels: string[];
  /** A random reel, weighted like real traffic: few creators have most of the views. */
  anyReel(draw: Draw): string;
  signedIn: number;
  /** When an account of these people was created. */
  joined(draw: Draw): number;
}

const reelsEach = 4;
const photosEach = 10;

const kinds = [
  { days: 12, showings: 20, likes: 30 },
  ...Array.from({ length: 3 }, () => ({ days: 4, showings: 8, likes: 8 })),
  ...Array.from({ length: 6 }, () => ({ days: 1, showings: 6, likes: 2 })),
];

/** Fills a site with people, who watch and like in the month and, unless the site is new, watch in the month before. */
export async function populate(site: Site, size: Size, draw: Draw): Promise<Population> {
  const { isNew } = site.kind;
  const opened = isNew ? monthBegin : monthBegin - 90 * dayMs;
  const creators = await insertPeople(site, size.creators, () => opened);
  const reels = await insertReels(site, creators, opened, reelsEach);
  const photos = await insertPhotos(site, creators, opened, photosEach);
  const anyOf = (works: readonly string[], each: number) => (below: Draw) => {
    const place = Math.floor(creators.length * below(1) ** 2);
    return works[place * each + Math.floor(below(each))] ?? '';
  };
  const anyReel = anyOf(reels, reelsEach);
  const anyPhoto = anyOf(photos, photosEach);
  // On a new site people sign up over its first weeks, on an older one over months.
  const joined = (below: Draw) =>
    isNew ? monthBegin + Math.floor(below(20 * dayMs)) : opened + Math.floor(below(80 * dayMs));
  const accounts = await insertPeople(site, Math.round(size.people * size.signedIn), () => joined(draw));
  const people = Array.from({ length: size.people }, (_, person) => ({
    // One person in ten is a creator, if there are any.
    id: person % 10 === 0 && creators[person / 10] ? creators[person / 10] : accounts[person],
    // A few people watch much, most watch little.
    ...kinds[Math.floor(draw(kinds.length))],
  }));
  const habit: Habit = {
    people: size.people,
    days: (person) => people[person]?.days ?? 0,
    showings: (person) => people[person]?.showings ?? 0,
    account: (person) => people[person]?.id,
    // Most people are behind one of a carrier's addresses.
    address: (person) => (person % 10 < 6 ? `100.64.0.${person % 20}` : homeOf(person)),
    browser: (person) => `first ${person}`,
    reel: anyReel,
  };
  const watch = (begin: number) => site.watch(visitsOf(habit, begin, draw).map(({ viewing }) => viewing));
  if (!isNew) {
    await watch(earlierBegin);
    await site.mark(monthBegin);
  }
  await watch(monthBegin);
  for (const { id, likes = 0 } of people)
    if (id) await likeAtRandom(site, { account: id, likes, photo: anyPhoto }, draw);
  return { creators, reels, anyReel, signedIn: size.signedIn, joined };
}

export const homeOf = (person: number) => `10.${person >> 16}.${(person >> 8) % 256}.${person % 256}`;

/** Many accounts at once, with the rows that the sign-up writes. */
export async function insertPeople(site: Site, count: number, joined: () => number): Promise<string[]> {
  const times = Array.from({ length: count }, () => new Date(joined()));
  const ids = times.map((at) => newId(at));
  await sql`
    insert into people (id, name, name_key, username, username_key, look_key, email, email_key, password_hash, created_at, email_verified_at)
    select id, 'Somebody', 'somebody', id, id, id, id || '@people.example', id || '@people.example', '', at, at
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as of (id, at)`.execute(site.db);
  for (const [place, id] of ids.entries()) {
    const at = times[place]?.getTime() ?? 0;
    site.acts.join(id, { joinedAt: at, verifiedAt: at });
  }
  return ids;
}

/** PostgreSQL limits the number of values of one statement. */
async function inBatches<Row>(
  rows: readonly Row[],
  insert: (some: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += 1000) await insert(rows.slice(from, from + 1000));
}

/** Many photos from before the month at once, without the files. */
export async function insertPhotos(
  site: Site,
  creators: readonly string[],
  at: number,
  each: number,
): Promise<string[]> {
  const published_at = new Date(at);
  const rows = creators.flatMap((creator_id) =>
    Array.from({ length: each }, () => ({
      ...{ id: newId(published_at), creator_id, published_at, caption: '', description: '' },
      ...{ media_key: newKey(), sha256: Buffer.from(newKey()) },
      ...{ placeholder: '', width: 1, height: 1, widths: [1] },
    })),
  );
  await inBatches(rows, (some) => site.db.insertInto('posts').values(some).execute());
  for (const { id, creator_id } of rows) site.notePhoto(id, creator_id);
  return rows.map(({ id }) => id);
}

/** Many reels from before the month at once, with the rows that their publication writes. */
export async function insertReels(
  site: Site,
  creators: readonly string[],
  at: number,
  each: number,
): Promise<string[]> {
  const published = new Date(at);
  const rows = creators.flatMap((creator_id) =>
    Array.from({ length: each }, () => ({
      ...{ id: newId(published), creator_id, media_key: newKey(), caption: '', credit: '', categories: [] },
      ...{ state: 'ready' as const, seconds: 20, sha256: Buffer.from(newKey()) },
      ...{ uploaded_at: published, published_at: published },
    })),
  );
  await inBatches(rows, (some) => site.db.insertInto('reels').values(some).execute());
  for (const { id, creator_id, seconds } of rows) site.noteReel(id, creator_id, seconds);
  return rows.map(({ id }) => id);
}

/** Likes of one account in the month, at random times after it was created. */
export async function likeAtRandom(
  site: Site,
  { account, likes, photo }: { account: string; likes: number; photo(draw: Draw): string },
  draw: Draw,
): Promise<void> {
  const from = Math.max(monthBegin, openedAt(account));
  for (let made = 0; made < likes; made += 1) {
    site.now = new Date(from + Math.floor(draw(monthBegin + 30 * dayMs - from)));
    await site.like(photo(draw), account);
  }
}
