import { openSession } from '#server/features/accounts/sessions.ts';
import { writeCursor } from '#server/platform/cursor.ts';
import { newId } from '#server/platform/ids.ts';
import type { World } from '#testing/access/fixtures.ts';
import { copyInReview, personIn } from '#testing/fixtures/earnings.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import type { Known } from './from-schema.ts';

export interface Actor {
  name: 'anonymous' | 'person' | 'operator';
  headers: Record<string, string>;
  /** The values that an actor would use: ids of themselves and of existing content. */
  known: Known;
}

/** New people for one call, since some calls delete the caller, with content of theirs and of others. */
export async function openActors(world: World, call: string): Promise<Record<Actor['name'], Actor>> {
  const { db } = world.server;
  const now = new Date();
  const somebody = async (role: 'person' | 'operator') => {
    const id = await personIn(db, now);
    const token = await openSession(db, { personId: id }, now);
    if (role === 'operator') await makeOperator(world.server, id);
    return { id, token };
  };
  const [person, operator, stranger] = [
    await somebody('person'),
    await somebody('operator'),
    await personIn(db, now),
  ];
  const things = await thingsFor(world, call, person.id);
  const actor = async (
    name: Actor['name'],
    self: { id: string; token: string } | undefined,
  ): Promise<Actor> => {
    const owner = { id: self?.id ?? stranger } as typeof world.owner;
    const uploads = async (kind: 'video' | 'photo') =>
      await Promise.all(Array.from({ length: 4 }, () => world.upload(kind, owner)));
    const fields: Record<string, readonly string[]> = {
      id: [...things, stranger],
      target: things.flatMap((id) =>
        ['reel', 'post', 'story', 'comment', 'person'].map((kind) => `${kind}:${id}`),
      ),
      userId: [owner.id, owner.id, owner.id, stranger, newId(now)],
      month: ['2025-01', '2026-02', '2199-12', 'January 2025', '0000-00'],
      totalRupee: ['1.00', '0', '-1', '99999999999999999999', '1e3'],
      email: [world.owner.email, world.owner.email.toUpperCase()],
      password: ['correct horse', 'wrong'],
      key: call.includes('/uploads/') ? [await world.sent(), await world.sent()] : [],
      videoKey: call.endsWith('/reel/add') ? await uploads('video') : [],
      fileName: /(post|story)\/add$/.test(call) ? await uploads('photo') : [],
      cursor: ['!', Buffer.from('now x 0').toString('base64url'), ...[-8.64e15, 0, 8.64e15].map(pageAt)],
      role: ['person'],
      kind: call.includes('payout') ? ['upi'] : [],
      vpa: ['asha@okaxis'],
      endpoint: ['https://fcm.googleapis.com/fcm/send/a', 'https://push.unknown.example/a'],
      p256dh: [Buffer.alloc(65, 4).toString('base64url')],
      auth: [Buffer.alloc(16).toString('base64url')],
      // Calls of these acts have no input, so no parameters are valid.
      act: ['unlink_google', 'export', 'remove_destination'],
      q: ['somebody', '%', '_', '\\'],
      payment: call.endsWith('payouts/name') ? things : [],
    };
    return {
      name,
      headers: self ? { authorization: `Bearer ${self.token}` } : {},
      known: (field) => fields[field] ?? [],
    };
  };
  return {
    anonymous: await actor('anonymous', undefined),
    person: await actor('person', person),
    operator: await actor('operator', operator),
  };
}

/** A cursor at a time at which no page ends, but that JavaScript's `Date` accepts. */
const pageAt = (time: number) => writeCursor({ at: new Date(time), id: newId(new Date()) });

/** Ids of the content that a call is about. */
async function thingsFor(world: World, call: string, owner: string): Promise<string[]> {
  const creator = { id: owner } as typeof world.owner;
  const makers: [RegExp, () => Promise<string>][] = [
    [/reel/i, () => world.reel(creator)],
    [/post\//i, () => world.post(creator)],
    [/story/i, () => world.story(creator)],
    [/comment/, () => world.comment(creator)],
    [/copies/, () => copyInReview(world.server.db, new Date(), owner)],
    [/withdrawals/, () => world.withdrawal()],
    [/payouts\/batches/, () => world.batch()],
    [/payouts\/(name|reconcile)/, () => world.unmatchedPayment()],
    [/reports\/close/, () => world.report()],
    [/report|take-down/, () => world.reel(creator)],
  ];
  const made = await Promise.all(makers.filter(([of]) => of.test(call)).map(([, make]) => make()));
  return made.length > 0 ? made : [(await world.person()).id];
}
