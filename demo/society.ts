import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { setVerified } from '#server/features/accounts/accounts.queries.ts';
import { signUp, signUpWithIdentity } from '#server/features/accounts/accounts.ts';
import { placesWith } from '#server/features/accounts/places.ts';
import { notify } from '#server/features/notifications/notifications.ts';
import * as followers from '#server/features/people/follows.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { before, type Demo } from './demo.ts';
import { oldest, people, viewers } from './people.ts';
import { note, noted } from './progress.ts';

const day = 24 * 60 * 60 * 1000;

/** Signs the demo's people up, four months ago, with verified addresses; existing people stay. Returns ids by username. */
export async function joinPeople(
  db: Kysely<Tables>,
  password: string,
  now: Date,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Signing up compares places and stores none.
  const from = { address: '127.0.0.1', places: placesWith(randomBytes(32)) };
  for (const [index, { name, username }] of people.entries()) {
    const known = await db
      .selectFrom('people')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    const joined = before(now, oldest - index);
    const email = `${username}@jhalak.example`;
    const id =
      known?.id ??
      (await signUp(
        { db, clock: () => joined },
        { name, username, email, password, cpassword: password },
        from,
      ));
    await setVerified(db, id, joined);
    ids.set(username, id);
  }
  return ids;
}

/** Ids by username of the demo's people who still have their account. */
export async function findPeople(db: Kysely<Tables>): Promise<Map<string, string>> {
  const usernames = people.map(({ username }) => username);
  const rows = await db
    .selectFrom('people')
    .select(['username', 'id'])
    .where('username', 'in', usernames)
    .execute();
  return new Map(rows.map(({ username, id }) => [username, id]));
}

/** The same for those who only watch. They have no password, whose hash would take time. Returns their ids, in their order. */
export async function joinViewers({ db, now }: Pick<Demo, 'db' | 'now'>): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, name] of viewers.entries()) {
    const step = `viewer ${index}`;
    const email = `${name.toLowerCase().replace(' ', '.')}@jhalak.example`;
    const id =
      (await noted(db, step)) ??
      (await db.transaction().execute(async (trx) => {
        const made = await signUpWithIdentity(trx, { name, email }, before(now, oldest - index));
        if (made) await note(trx, step, made);
        return made;
      }));
    if (!id) throw new Error(`${email} has an account already`);
    ids.push(id);
  }
  return ids;
}

/** The follows between the demo's people. */
export async function follow({ db, ids, now }: Demo): Promise<void> {
  for (const [index, { username, follows }] of people.entries()) {
    for (const [place, other] of follows.entries()) {
      const at = new Date(now.getTime() - (110 - index * 3 - place) * day);
      await followers.follow({ db, clock: () => at }, idOf(ids, username), idOf(ids, other), notify);
    }
  }
}

export function idOf(ids: Map<string, string>, username: string): string {
  const id = ids.get(username);
  if (!id) throw new Error(`the demo has nobody called ${username}`);
  return id;
}
