import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#contract/roles.ts';
import type { Due } from '#contract/today.ts';
import type { Notice } from '#server/platform/outbox.ts';
import { makeOperator, signUpOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { appointedAt } from '../audit-log/audit-log.ts';
import { setRole } from './people.ts';

/* Who is an operator (docs/decisions/0009-operators.md). */
let server: TestServer;
let ravi: Person;
let uma: Person;
let mona: Person;
beforeAll(async () => {
  server = await startTestServer();
  ravi = await signUpSomebody(server, 'Ravi');
  uma = await signUpSomebody(server, 'Uma');
  mona = await signUpSomebody(server, 'Mona');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.updateTable('people').set({ role: 'person' }).where('role', '=', 'operator').execute();
  for (const { id } of [ravi, uma]) await makeOperator(server, id);
  await server.db.deleteFrom('notifications').execute();
});

const role = (who: Person, of: Person, to: Role) =>
  server.inject({
    method: 'POST',
    url: `/api/operator/people/role/${of.id}`,
    headers: who.headers,
    payload: { role: to },
  });
const operators = async () =>
  (await server.db.selectFrom('people').select('id').where('role', '=', 'operator').execute()).map(
    ({ id }) => id,
  );
const notified = async (kind: 'operator_appointed' | 'operator_removed') =>
  (await server.db.selectFrom('notifications').select('person_id').where('kind', '=', kind).execute()).map(
    ({ person_id }) => person_id,
  );
const ids = (...people: Person[]) => people.map(({ id }) => id).sort();

describe('an appointment or removal', () => {
  it('is told to all operators, also to the new or former one, once, in the site and by mail', async () => {
    const mails: [string, Notice][] = [];
    const sendNotice = async (_: unknown, id: string, notice: Notice) => void mails.push([id, notice]);
    const context = { ...server.context, outbox: { ...server.context.outbox, sendNotice } };
    const by = { id: ravi.id, name: ravi.username };
    for (const to of ['administrator', 'person'] as const)
      for (let times = 0; times < 2; times += 1) await setRole(context, by, mona.id, { role: to });
    const said = { username: mona.username, by: ravi.username };
    for (const act of ['operator_appointed', 'operator_removed'] as const) {
      expect((await notified(act)).sort()).toEqual(ids(ravi, uma, mona));
      const told = mails.filter(([, notice]) => notice.act === act);
      expect(told.map(([id]) => id).sort()).toEqual(ids(ravi, uma, mona));
      const values = act === 'operator_removed' ? said : { ...said, role: 'administrator' };
      for (const [, notice] of told) expect(notice.values).toEqual(values);
    }
  });

  it('is told to the others if an operator deletes the account', async () => {
    const leaver = await signUpOperator(server, 'Leaver');
    const gone = { method: 'DELETE', url: `/api/delete/${leaver.id}`, headers: leaver.headers } as const;
    expect((await server.inject(gone)).statusCode).toBe(200);
    expect((await notified('operator_removed')).sort()).toEqual(ids(ravi, uma));
  });

  it('of an honest operator who is appointed again begins the 72 hours again, in which others can object', async () => {
    await role(ravi, mona, 'administrator');
    const first = await appointedAt(server.db, mona.id);
    await role(ravi, mona, 'person');
    await role(ravi, mona, 'administrator');
    expect((await appointedAt(server.db, mona.id))?.getTime()).toBeGreaterThan(first?.getTime() ?? Infinity);
  });
});

describe('a role', () => {
  it('is changed without a new second factor, and all operators are told', async () => {
    await role(ravi, mona, 'moderator');
    const enrolled = await role(ravi, mona, 'payer');
    expect(enrolled.json()).toMatchObject({ data: { role: 'payer' }, enrolment: null });
    expect(await notified('operator_appointed')).toHaveLength(2 * 3);
  });

  it('that changes begins the 72 hours again, so that no moderator is made a second payer at once', async () => {
    await role(ravi, mona, 'moderator');
    const first = await appointedAt(server.db, mona.id);
    await role(ravi, mona, 'payer');
    expect((await appointedAt(server.db, mona.id))?.getTime()).toBeGreaterThan(first?.getTime() ?? Infinity);
  });

  it('counts from the next request on, in a session that is open', async () => {
    const asked = async (part: string) =>
      (await server.inject({ url: `/api/operator/${part}`, headers: uma.headers })).statusCode;
    await role(ravi, uma, 'payer');
    expect([await asked('reports'), await asked('withdrawals')]).toEqual([403, 200]);
    await role(ravi, uma, 'moderator');
    expect([await asked('reports'), await asked('withdrawals')]).toEqual([200, 403]);
    await role(ravi, uma, 'person');
    expect([await asked('reports'), await asked('withdrawals')]).toEqual([404, 404]);
  });

  it('refuses with a sentence that says whose act it is', async () => {
    await role(ravi, uma, 'payer');
    expect((await role(uma, mona, 'administrator')).json()).toMatchObject({
      code: 'not_allowed',
      error: 'Only administrators can do this.',
    });
  });

  it('of an administrator who lost it after the request began appoints nobody', async () => {
    await role(ravi, uma, 'moderator');
    const appointing = setRole(server.context, { id: uma.id, name: uma.username }, mona.id, {
      role: 'payer',
    });
    await expect(appointing).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await operators()).not.toContain(mona.id);
  });

  it('says what waits for it today', async () => {
    const waits = async (who: Person) => {
      const answer = await server.inject({ url: '/api/operator/today', headers: who.headers });
      return answer.json().data.map(({ what }: Due) => what);
    };
    await role(ravi, uma, 'payer');
    await role(ravi, mona, 'moderator');
    await server.db.updateTable('sessions').set({ factor_at: new Date() }).execute();
    expect([await waits(ravi), await waits(uma), await waits(mona)]).toEqual([
      expect.arrayContaining(['audit', 'backup']),
      ['audit'],
      [],
    ]);
  });
});

describe('the last administrator', () => {
  it('gets no lower role', async () => {
    await role(ravi, uma, 'moderator');
    const refused = await role(ravi, ravi, 'payer');
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'last_operator']);
    const gone = { method: 'DELETE', url: `/api/delete/${ravi.id}`, headers: ravi.headers } as const;
    expect((await server.inject(gone)).json()).toMatchObject({ code: 'last_operator' });
  });

  it('cannot be removed, by themselves or on the server, nor delete the account', async () => {
    expect((await role(ravi, uma, 'person')).statusCode).toBe(200);
    const refused = await role(ravi, ravi, 'person');
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'last_operator']);
    await expect(
      setRole(server.context, { id: null, name: 'server' }, ravi.id, { role: 'person' }),
    ).rejects.toMatchObject({ code: 'last_operator' });
    const gone = { method: 'DELETE', url: `/api/delete/${ravi.id}`, headers: ravi.headers } as const;
    expect((await server.inject(gone)).json()).toMatchObject({ code: 'last_operator' });
    expect(await operators()).toEqual([ravi.id]);
    expect(await notified('operator_removed')).toHaveLength(2);
  });

  it.each([1, 2, 3, 4, 5])('stays if two operators remove each other at once, round %i', async () => {
    const answers = await Promise.all([role(ravi, uma, 'person'), role(uma, ravi, 'person')]);
    // The second one is refused by the lock (403), or at the door if the first has ended before (404).
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await operators()).toHaveLength(1);
  });

  it('stays if ten operators each remove the next one and delete their accounts at once', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => signUpSomebody(server, 'Many')));
    await server.db.updateTable('people').set({ role: 'person' }).where('role', '=', 'operator').execute();
    for (const { id } of all) await makeOperator(server, id);
    await Promise.all(
      all.flatMap((one, place) => [
        role(one, all[(place + 1) % all.length] ?? one, 'person'),
        server.inject({ method: 'DELETE', url: `/api/delete/${one.id}`, headers: one.headers }),
      ]),
    );
    expect((await operators()).length).toBeGreaterThanOrEqual(1);
  });
});
