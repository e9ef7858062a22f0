import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monthOf } from '#server/platform/clock.ts';
import { contextOn } from '#testing/context.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { closeMonths } from '../months/closing.ts';
import { auditLedger } from './audit.ts';

/** Withdrawals requested from two processes of the real program, which share only the database. */
const zone = 'Asia/Kolkata';
/** Generous, because the machine may be busy. */
const timeout = 180_000;
/** A time in a month that is over by this machine's clock. */
const earnedAt = new Date(Date.now() - 40 * 24 * 3_600_000);
const month = monthOf(earnedAt, zone);

let server: TestServer;
const folders: Awaited<ReturnType<typeof dataFolder>>[] = [];
const programs: Program[] = [];
beforeAll(async () => {
  server = await startTestServer();
  for (let place = 0; place < 2; place += 1) folders.push(await dataFolder());
  const shared = {
    DATABASE_URL: server.url,
    KEYS_DIR: join(server.dataDir, 'keys'),
    // All requests are sent at once, and none may be rejected because of overload.
    MAX_CONCURRENT_REQUESTS: '2000',
  };
  // The programs close months, too: this one is closed before, and not in the middle of a test.
  await closeMonths(contextOn(server.db));
  const started = folders.map(({ path }) => startProgram({ DATA_DIR: path, ...shared }));
  programs.push(...(await Promise.all(started)));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await Promise.all(folders.map((folder) => folder.remove()));
  await server.close();
});

async function creatorWithARupee(): Promise<Person> {
  const creator = await signUpSomebody(server);
  await earnReleased(server.db, creator.id, month);
  return creator;
}

const address = (place: number) => `${programs[place % programs.length]?.origin}/api/user-earnings/request`;
const asking = (creator: Person, totalRupee: unknown) => ({
  method: 'POST',
  headers: { ...creator.headers, 'content-type': 'application/json' },
  body: JSON.stringify({ userId: creator.id, userName: 'Asha', month, totalRupee }),
});
async function ask(place: number, creator: Person, totalRupee: unknown = '1.00') {
  const response = await fetch(address(place), asking(creator, totalRupee));
  return { http: response.status, ...(await response.json()) };
}
const rows = (creator: Person) =>
  server.db.selectFrom('withdrawals').selectAll().where('creator_id', '=', creator.id).execute();
const steps = async (creator: Person) =>
  (
    await server.db
      .selectFrom('ledger_transactions as l')
      .innerJoin('withdrawals as w', 'w.id', 'l.withdrawal_id')
      .select(['step', 'debit', 'credit', 'l.paise'])
      .where('creator_id', '=', creator.id)
      .execute()
  ).map(({ step, debit, credit, paise }) => `${step}: ${debit} ${paise} to ${credit}`);
const oneDebit = ['requested: earnings_expense 100 to creator_payable'];
const audit = async () => (await auditLedger(contextOn(server.db))).differences;

describe('a thousand requests for one month to two processes', { timeout }, () => {
  it('in any notation of the amount: one withdrawal, one debit, the same response or a 409', async () => {
    const creator = await creatorWithARupee();
    const right = [1, '1', '1.0', '1.00', '01.00', '1.000', 1.0, ' 1.00 '];
    const wrong = ['1.01', 100];
    const spelled = [...right, ...wrong];
    const answers = await Promise.all(
      Array.from({ length: 1000 }, async (_, place) => {
        // Each notation is sent to both processes.
        const totalRupee = spelled[(place >> 1) % spelled.length];
        return { ...(await ask(place, creator, totalRupee)), isWrong: wrong.includes(totalRupee as string) };
      }),
    );
    expect((await rows(creator)).map(({ paise, state }) => ({ paise, state }))).toEqual([
      { paise: 100, state: 'pending' },
    ]);
    expect(await steps(creator)).toEqual(oneDebit);
    // A person may send 120 requests a minute; more are rejected without effect, and so are requests to an overloaded
    // machine.
    const refused = answers.filter(({ http }) => http === 429 || http === 503);
    expect(refused.every(({ code }) => code === 'too_many_requests' || code === 'unavailable')).toBe(true);
    const heard = answers.filter((answer) => !refused.includes(answer));
    const busy = refused.filter(({ http }) => http === 503).length;
    expect(heard.length + busy).toBeGreaterThanOrEqual(120);
    const same = heard.filter(({ isWrong }) => !isWrong);
    expect(new Set(same.map(({ http, data }) => JSON.stringify({ http, data }))).size).toBe(1);
    expect(same[0]).toMatchObject({ http: 200, data: { totalRupee: '1.00', status: 'pending' } });
    for (const answer of heard.filter(({ isWrong }) => isWrong)) {
      expect(answer).toMatchObject({ http: 409, code: 'amount_differs' });
      expect(answer.error).toMatch(/earned ₹1\.00, not ₹(1\.01|100); please reload and try again\.$/);
    }
    expect(await audit()).toEqual([]);
  });

  it('fifty requests aborted in the middle of the response and one complete request make one withdrawal', async () => {
    const creator = await creatorWithARupee();
    await Promise.all(Array.from({ length: 50 }, (_, place) => cutOff(address(place), creator)));
    const answer = await ask(0, creator);
    expect(answer.data).toMatchObject({ status: 'pending', paise: 100 });
    expect((await rows(creator)).map((row) => row.id)).toEqual([answer.data._id]);
    expect(await steps(creator)).toEqual(oneDebit);
    expect(await audit()).toEqual([]);
  });

  it('requests of different people do not block each other', async () => {
    const creators = await Promise.all(Array.from({ length: 6 }, creatorWithARupee));
    const answers = await Promise.all(
      creators.flatMap((creator) => Array.from({ length: 20 }, (_, place) => ask(place, creator))),
    );
    expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
    for (const creator of creators) expect(await rows(creator)).toHaveLength(1);
  });
});

/** Sends the request and closes the connection at the first byte of the response. */
function cutOff(url: string, creator: Person): Promise<void> {
  const { method, headers, body } = asking(creator, '1.00');
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    sending.on('error', reject);
    sending.on('response', (response) => {
      response.on('close', () => resolve());
      response.on('error', () => resolve());
      response.destroy();
    });
    sending.end(body);
  });
}
