import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedReel, requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { countedViewsOf } from '#testing/fixtures/months.ts';
import { watchedByMany } from '#testing/fixtures/watching.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import type { OperatorAccount } from '../features/audit-log/audit-log.ts';
import { closeMonths } from '../features/months/closing.ts';
import { type CommandContext, understand } from './command.ts';
import { commands } from './commands.ts';

/* The commands of docs/operating.md. That they ask for a code is tested with the program itself (admin.test.ts). */
const document = await readFile(fileURLToPath(new URL('../../docs/operating.md', import.meta.url)), 'utf8');
/** The command lines after `npm run admin --`, without shell redirections. */
const linesOf = (text: string) =>
  [...text.matchAll(/^ {4,}(?:[A-Z_]+=\S+ )*npm run (?:-s )?admin -- ([^\n#]+)/gm)].map(([, line = '']) =>
    line.replace(/ [>&|].*$/, '').trim(),
  );
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

it('docs/operating.md shows only commands that there are, with what they take', () => {
  const lines = linesOf(document);
  expect(lines.length).toBeGreaterThan(50);
  for (const line of lines) {
    const words = wordsOf(line).map((word) =>
      word.replaceAll(/<([^>]+)>/g, (_, name) => (name === 'key' ? v7().replaceAll('-', '') : v7())),
    );
    expect(() => understand(commands, words), line).not.toThrow();
  }
});

describe('a month of docs/operating.md', () => {
  let server: TestServer;
  let folder: string;
  const [section = ''] = /^## A month,.*?(?=^## )/ms.exec(document) ?? [];
  const names = new Map<string, string>();
  const operators = new Map<string, OperatorAccount>();
  const payees: Person[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jhalak-month-'));
    server = await startTestServer({ PAYOUT_APPROVAL_ABOVE: '1' });
    const month = '2026-10';
    for (const name of ['asha', 'ravi']) {
      const { id } = await signUpSomebody(server, name);
      await makeOperator(server, id);
      operators.set(name, { id, name });
    }
    for (const name of ['known', 'script']) {
      const { id } = await signUpSomebody(server, name);
      names.set(name, id);
      const reel = await publishedReel(server.db, id, new Date('2026-10-01T12:00:00Z'), 'Asia/Kolkata');
      await watchedByMany(server.context, reel, 1100, new Date('2026-10-02T12:00:00Z'));
    }
    for (const name of ['one', 'two']) {
      const payee = await signUpSomebody(server, name);
      await requestedWithdrawal(server, payee.id, month);
      payees.push(payee);
    }
    server.now.value = new Date('2026-11-03T12:00:00Z');
    await closeMonths(server.context);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command line from the document; returns its output for people and for programs. */
  async function run(line: string) {
    const words = wordsOf(line).map((word) =>
      word
        .replaceAll(/<([^>]+)>/g, (_, name: string) => names.get(name) ?? '')
        .replace(/^(\w+\.csv)$/, join(folder, '$1')),
    );
    const { command, as, input } = understand(commands, words);
    if (!command || !('run' in command)) throw new Error(`${line} does not run`);
    const desk: CommandContext = {
      db: server.db,
      url: server.url,
      config: server.context.config as CommandContext['config'],
      storage: async () => server.storage,
      keys: async () => ({ keyring: server.keyring, outbox: server.context.outbox }),
      operator: (as && operators.get(as)) || { id: null, name: 'the machine' },
      clock: server.context.clock,
    };
    return await command.run(desk, input as never);
  }

  it('works line by line as documented, and no withdrawal is paid twice', async () => {
    const lines = linesOf(section);
    expect(lines).toHaveLength(15);
    /** The payments of the last batch, by person. */
    let payments: { _id: string; userId: string; state: string }[] = [];
    const idOf = (payee: Person | undefined) =>
      payments.find(({ userId }) => userId === payee?.id)?._id ?? '';
    const said: string[] = [];
    for (const line of lines) {
      if (line.includes('paid.csv'))
        await writeFile(
          join(folder, 'paid.csv'),
          `id,state,reference,reason\n${idOf(payees[0])},paid,UTR1,\n${idOf(payees[1])},failed,,Closed\n`,
        );
      if (line.includes('returned.csv'))
        await writeFile(
          join(folder, 'returned.csv'),
          `id,state,reason\n${idOf(payees[0])},returned,Unknown account\n`,
        );
      const { text, json, failed } = await run(line);
      said.push(text);
      // The reel and the withdrawals of this test are inserted without their events.
      if (line !== 'ledger audit') expect({ line, failed: failed ?? false }).toEqual({ line, failed: false });
      if (line.startsWith('payouts make')) {
        const { data: made } = json as { data: { _id: string; payments: typeof payments } };
        names.set('batch', made._id);
        payments = made.payments;
        expect(payments.map(({ state }) => state)).toEqual(['prepared', 'prepared']);
      }
    }
    const at = (command: string) => said[lines.findIndex((line) => line.startsWith(command))] ?? '';
    expect(at('months waiting')).toMatch(/2026-10.+100/);
    expect(at('withdrawals list').match(/pending/g)).toHaveLength(2);
    expect(at('payouts approve')).toContain('approved');
    expect(at('payouts send').split('\r\n')).toHaveLength(4);
    expect(at('payouts reconcile')).toBe('2 noted, 0 unchanged, 0 refused.\n');
    expect(said[lines.findIndex((line) => line.includes('returned.csv'))]).toMatch(/^1 noted/);
    expect(at('payouts cancel')).toContain('cancelled');
    // A returned payment is subtracted again.
    expect(at('withdrawals totals')).toMatch(/"0\.00"/);
    const decided = await server.db
      .selectFrom('adjustments')
      .select(['creator_id', 'kind', 'views'])
      .where('month', '>', '2000')
      .orderBy('kind')
      .execute();
    expect(decided).toEqual([
      { creator_id: names.get('known'), kind: 'released', views: 100 },
      { creator_id: names.get('script'), kind: 'void_waiting', views: 100 },
    ]);
    const open = await server.db
      .selectFrom('payout_attempts')
      .select('state')
      .where('state', 'in', ['prepared', 'exported', 'paid'])
      .execute();
    expect(open).toEqual([]);
  });

  it('shows the views that wait beside a withdrawal, and the act that approves it decides about them', async () => {
    const payee = await signUpSomebody(server, 'three');
    await countedViewsOf(server.db, { creatorId: payee.id, month: '2026-10' }, { views: 1500 });
    const { id } = await requestedWithdrawal(server, payee.id, '2026-10');
    const list = async () => {
      const { text, json } = await run('withdrawals list --state pending');
      const { data } = json as { data: { _id: string; waitingViews: number; waitingCoins: number }[] };
      const { waitingViews, waitingCoins } = data.find(({ _id }) => _id === id) ?? {};
      return [waitingViews, waitingCoins, / 500 +50( |$)/m.test(text)];
    };
    expect(await list()).toEqual([500, 50, true]);
    // Together they are above what Asha pays alone.
    const other = await requestedWithdrawal(server, (await signUpSomebody(server, 'four')).id, '2026-10');
    const make = `payouts make --withdrawals ${id},${other.id} --as asha --code 1`;
    const decision = '--waiting release --reason "Known creator"';
    expect(() => understand(commands, wordsOf(`${make} --waiting release`))).toThrow('Please give a reason');
    await expect(run(`${make} ${decision}`)).rejects.toMatchObject({ code: 'batch_waits' });
    const { json } = await run(make);
    const approve = `payouts approve ${(json as { data: { _id: string } }).data._id} --as ravi --code 1`;
    await run(`${approve} ${decision} --of ${id}`);
    await run(`${approve} ${decision}`);
    expect(await list()).toEqual([0, 0, false]);
    const releases = server.db
      .selectFrom('adjustments')
      .where('creator_id', '=', payee.id)
      .where('month', '=', '2026-10');
    expect(await releases.select(['views', 'reason']).execute()).toEqual([
      { views: 500, reason: 'Known creator' },
    ]);
  });
});
