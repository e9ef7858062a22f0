import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '#server/platform/ids.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import type { Person, TestServer } from '#testing/servers/test-server.ts';
import { closeCase } from './cases.ts';
import { notifyLateCases } from './late-cases.ts';
import { mergeCases } from './merges.ts';

/* Operators are mailed once when the deadline of cases has passed. */
const start = new Date('2026-11-10T06:00:00Z');
const minute = 60_000;
const at = (minutes: number) => new Date(start.getTime() + minutes * minute);
const root = { id: null, name: 'root' };

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let admin: Person;
let mona: Person;
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server } = mailing);
  server.now.value = start;
  let pia: Person;
  [admin, mona, pia] = await Promise.all([
    signUpOperator(server, 'Admin', start),
    signUpOperator(server, 'Mona', start, 'moderator'),
    signUpOperator(server, 'Pia', start, 'payer'),
  ]);
  const all = [admin.id, mona.id, pia.id];
  await server.db.updateTable('people').set({ email_verified_at: start }).where('id', 'in', all).execute();
});
afterAll(() => mailing.close());
beforeEach(async () => {
  await server.db.deleteFrom('cases').execute();
  await server.db.deleteFrom('mails').execute();
  mailing.smtp.mails.length = 0;
});

async function opened(dueAt: Date, reason = 'spam'): Promise<string> {
  const id = crypto.randomUUID();
  const evidence = { ownerId: mona.id, owner: 'x', words: newKey(), more: '', reelId: null };
  await server.db
    .insertInto('cases')
    .values({
      ...{ id, kind: 'post', target_id: crypto.randomUUID(), language: 'en', report_count: 1 },
      evidence: JSON.stringify({ ...evidence, picture: null, video: null }),
      ...{ reasons: [reason as 'spam'], opened_at: start, due_at: dueAt },
    })
    .execute();
  return id;
}
/** Runs the job at this time, and sends what is due then; returns the mails of it. */
async function run(now: Date) {
  const { length } = mailing.smtp.mails;
  await notifyLateCases({ ...server.context, clock: () => now });
  await mailing.sendAll(now);
  return mailing.smtp.mails.slice(length);
}
const textsTo = (mails: Awaited<ReturnType<typeof run>>, { email }: Person) =>
  mails.filter((mail) => JSON.stringify(mail).includes(email)).map(({ text }) => text);

describe('a deadline that passes', () => {
  it('is mailed to who decides cases, and to no payer, once', async () => {
    const id = await opened(at(5));
    expect(await run(at(4))).toEqual([]);
    const mails = await run(at(5));
    expect(mails).toHaveLength(2);
    for (const who of [admin, mona])
      expect(textsTo(mails, who)).toEqual([
        expect.stringContaining(`${mailing.origin}/Console?part=reports&case=${id}`),
      ]);
    for (const later of [6, 90, 60 * 24]) expect(await run(at(later))).toEqual([]);
  });

  it('is one mail for a hundred cases within an hour, with a list', async () => {
    for (let nth = 0; nth < 100; nth += 1) await opened(at(5 + nth / 2));
    const first = await run(at(5));
    const between = [];
    for (let minutes = 10; minutes <= 64; minutes += 5) between.push(...(await run(at(minutes))));
    const rest = textsTo(await run(at(66)), mona);
    expect([first.length, between.length, rest.length]).toEqual([2, 0, 1]);
    expect(rest[0]).toContain('99');
    expect(rest[0]?.match(/\/Console\?part=reports/g)).toHaveLength(24);
  });

  it('is mailed once, also if two processes look at the same time', async () => {
    await opened(at(5));
    await Promise.all([run(at(5)), run(at(5))]);
    await mailing.sendAll(at(30));
    expect(textsTo(mailing.smtp.mails, mona)).toHaveLength(1);
  });

  it('of a case that was decided before is not mailed', async () => {
    const id = await opened(at(5));
    await closeCase(server.context, root, { id, reason: 'Harmless' });
    expect(await run(at(6))).toEqual([]);
  });

  it('of a case that is merged into another one, or muted, is not mailed', async () => {
    const stays = await opened(at(30));
    await mergeCases(server.context, root, { id: stays, ids: [await opened(at(40))], reason: 'One video' });
    await server.db
      .updateTable('cases')
      .set({ is_muted: true })
      .where('id', '=', await opened(at(5)))
      .execute();
    expect(await run(at(29))).toEqual([]);
    const [text = ''] = textsTo(await run(at(41)), mona);
    expect(text.match(/&case=[\w-]+/g)).toEqual([`&case=${stays}`]);
  });

  it('of what may show a child is mailed to who may see that, without words about it', async () => {
    await opened(at(5), 'child_safety');
    const mails = await run(at(5));
    expect([textsTo(mails, admin).length, textsTo(mails, mona).length]).toEqual([1, 0]);
  });

  it('of what may show a child is mailed to all who decide cases, if nobody may see that', async () => {
    const setRight = (child_safety: boolean) =>
      server.db.updateTable('people').set({ child_safety }).where('id', '=', admin.id).execute();
    const id = await opened(at(5), 'child_safety');
    await setRight(false);
    const mails = await run(at(5));
    await setRight(true);
    for (const who of [admin, mona]) expect(textsTo(mails, who)).toEqual([expect.stringContaining(id)]);
  });
});
