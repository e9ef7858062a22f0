import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { signUp } from '#server/features/accounts/accounts.ts';
import { placesWith } from '#server/features/accounts/places.ts';
import * as followers from '#server/features/people/follows.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Demo } from './demo.ts';
import { people } from './people.ts';

const day = 24 * 60 * 60 * 1000;

/** Signs the demo's people up, four months ago; who is there already stays. Returns ids by username. */
export async function joinPeople(
  db: Kysely<Tables>,
  password: string,
  now: Date,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Signing up compares places and stores none.
  const months = { keyring: { monthKey: async () => randomBytes(32) }, timeZone: 'Asia/Kolkata' };
  const from = { address: '127.0.0.1', places: placesWith(randomBytes(32), months) };
  for (const [index, { name, username }] of people.entries()) {
    const known = await db
      .selectFrom('people')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    const joined = new Date(now.getTime() - (130 - index) * day);
    const email = `${username}@jhalak.example`;
    ids.set(
      username,
      known?.id ??
        (await signUp(
          { db, clock: () => joined },
          { name, username, email, password, cpassword: password },
          from,
        )),
    );
  }
  return ids;
}

/** Who follows whom. */
export async function follow({ db, ids, now }: Demo): Promise<void> {
  for (const [index, { username, follows }] of people.entries()) {
    for (const [place, other] of follows.entries()) {
      const at = new Date(now.getTime() - (110 - index * 3 - place) * day);
      await followers.follow({ db, clock: () => at }, idOf(ids, username), idOf(ids, other));
    }
  }
}

export function idOf(ids: Map<string, string>, username: string): string {
  const id = ids.get(username);
  if (!id) throw new Error(`the demo has nobody called ${username}`);
  return id;
}
