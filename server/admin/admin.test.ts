import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOn } from '#testing/context.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { closedMonthOf } from '#testing/fixtures/months.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import { adminHere, adminOn } from '#testing/servers/admin-command.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { anotherRecoveryCode, appCode, enrolOperator } from '#testing/servers/operators.ts';
import { dataFolder, startProgram } from '#testing/servers/program.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { isWhole } from '#testing/share.ts';
import { runAudit } from '../features/earnings/audit.ts';
import { hold, release } from '../platform/keyring/keyring.queries.ts';
import { helpOf, understand } from './command.ts';
import { commands } from './commands.ts';

let server: TestServer;
let asha: Person;
let ravi: Person;
beforeAll(async () => {
  server = await startTestServer();
  [asha, ravi] = [await signUpSomebody(server), await signUpSomebody(server, 'Ravi')];
  await enrolOperator(server, ravi);
});
afterAll(() => server.close());

const admin = (...words: string[]) =>
  adminHere({ DATABASE_URL: server.url, DATA_DIR: server.dataDir }, words);
/** Runs a command on people and money, with a code of the operator. */
const asRavi = async () => ['--as', ravi.username, '--code', await anotherRecoveryCode(server, ravi.id)];
/** The output of a command for programs. */
async function json(...words: string[]) {
  const { code, out, err } = await admin(...words, '--json');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}
/** The error sentence of a command. */
async function refused(...words: string[]) {
  const { code, out, err } = await admin(...words);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trim().split('\n')).toHaveLength(1);
  return err.trim();
}
const acts = async (targetId: string) =>
  (
    await server.db
      .selectFrom('audit_log')
      .select(['act', 'operator', 'operator_id', 'details'])
      .where('target_id', '=', targetId)
      .orderBy('id')
      .execute()
  ).map(({ act, operator, operator_id, details }) => ({ act, operator, id: operator_id, details }));
const postOf = (person: Person) =>
  publishPicture(server.db, server.dataDir, person.id, 'A photo', new Date());

describe('help (decisions §6)', () => {
  it('lists every command, and those of a group', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { code, out } = await admin(...words);
      expect(code).toBe(0);
      for (const { name, about } of commands)
        expect(out).toMatch(new RegExp(`${name} +${about.slice(0, 20)}`));
    }
    const { out } = await admin('reports', '--help');
    expect(out).toContain('reports take-down');
    expect(out).not.toContain('people find');
  });

  it('describes the operands and options of each command', () => {
    for (const one of commands) {
      expect(understand(commands, [...one.name.split(' '), '--help'])).toMatchObject({
        command: one,
        help: true,
      });
      expect(helpOf(one)).toContain(`npm run admin -- ${one.name}`);
      expect(helpOf(one)).toContain('--as');
    }
  });

  it('needs no database', async () => {
    const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { code, out, err } = await adminOn(settings, ['withdrawals', 'complete', '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('npm run admin -- withdrawals complete <id> [--reference …]');
  });
});

describe('invalid input leads to one sentence and exit code 1', () => {
  const id = v7();
  it.each<[string, string[], RegExp]>([
    ['no such command', ['dance'], /There is no command “dance”/],
    ['no such command of a group', ['people', 'dance'], /there is people find, people suspend/],
    ['a missing operand', ['withdrawals', 'complete', '--reference', 'x'], /Please give <id>/],
    ['an operand too many', ['reports', 'close', id, 'x', '--reason', 'x'], /“x” is one word too many/],
    ['an unknown option', ['log', 'list', '--loud'], /Unknown option '--loud'/],
    ['an option without a value', ['people', 'suspend', 'x', '--reason'], /argument missing/],
    ['no reference', ['withdrawals', 'complete', id], /Please give the payer's reference/],
    ['an empty reason', ['withdrawals', 'reject', id, '--reason', '  '], /Please give a reason/],
    ['no id', ['withdrawals', 'reject', '7', '--reason', 'x'], /This id is not valid/],
    ['a state that is none', ['withdrawals', 'list', '--state', 'new'], /state is one of/],
    ['a month that is none', ['withdrawals', 'list', '--month', '2026-13'], /write it as YYYY-MM/],
    ['a limit that is none', ['log', 'list', '--limit', 'all'], /limit must be a number/],
    [
      'a thing that is none',
      ['reports', 'take-down', `planet:${id}`, '--what', 'copy', '--rule', 'spam', '--reason', 'x'],
      /kind is one of/,
    ],
  ])('%s', async (_what, words, sentence) => {
    expect(() => understand(commands, words)).toThrow(sentence);
  });

  it('and nothing on standard output', async () => {
    expect(await adminOn({ DATABASE_URL: server.url }, ['payouts', 'list', '--loud'])).toEqual({
      code: 1,
      out: '',
      err: "Unknown option '--loud': npm run admin -- payouts list [--limit …] [--cursor …]\n",
    });
  });

  it.each<[string, string[], RegExp]>([
    ['a cursor that is none', ['log', 'list', '--cursor', 'x'], /start from the first page/],
    [
      'nobody',
      ['people', 'suspend', 'nobody-here', '--rule', 'spam', '--reason', 'x'],
      /There is no such person/,
    ],
    ['nothing', ['withdrawals', 'complete', id, '--reference', 'x'], /no such withdrawal/],
    ['no such report', ['reports', 'close', id, '--reason', 'x'], /no such report/],
  ])('so does an unknown target: %s', async (_what, words, sentence) => {
    expect(await refused(...words, ...(await asRavi()))).toMatch(sentence);
  });

  it('so does an operator name of a person who is no operator', async () => {
    const asWhom = (name: string) => refused('log', 'list', '--as', name, '--code', '123456');
    expect(await asWhom(asha.username)).toBe(`${asha.username} is not an operator.`);
    expect(await asWhom('nobody-here')).toBe('nobody-here is not an operator.');
  });

  it('so does a database that does not respond, or does not exist [long]', async () => {
    const unreachable = await adminOn({ DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/none' }, [
      'log',
      'list',
    ]);
    expect(unreachable).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be reached/) });
    expect(unreachable.err).not.toContain('secret');
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-empty-'));
    const none = await adminOn({ DATA_DIR: folder }, ['log', 'list']);
    expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/There is no database in .* yet/) });
    await rm(folder, { recursive: true });
  });
});

describe('withdrawals', () => {
  it('are listed by state and month, completed once, and logged once', async () => {
    const { id } = await requestedWithdrawal(server, asha.id, '2025-03');
    const pending = await json('withdrawals', 'list', '--state', 'pending', '--month', '2025-03');
    expect(pending.data).toMatchObject([{ _id: id, totalRupee: '1.00', username: asha.username }]);
    expect((await json('withdrawals', 'list', '--month', '2025-04')).data).toEqual([]);

    const complete = ['withdrawals', 'complete', id, '--reference', 'UTR 7'];
    const first = await json(...complete, ...(await asRavi()));
    expect(first.data).toMatchObject({ status: 'completed', reference: 'UTR 7' });
    expect(await json(...complete, ...(await asRavi()))).toEqual(first);
    expect(await refused('withdrawals', 'complete', id, '--reference', 'UTR 8', ...(await asRavi()))).toBe(
      'This withdrawal was already paid, with the reference UTR 7.',
    );
    expect(await acts(id)).toEqual([
      {
        act: 'withdrawal.complete',
        operator: ravi.username,
        id: ravi.id,
        details: { reference: 'UTR 7', paise: 100, month: '2025-03' },
      },
    ]);
  });

  it('are rejected with a reason', async () => {
    const { id } = await requestedWithdrawal(server, asha.id, '2025-05');
    const reject = ['withdrawals', 'reject', id, '--reason', 'Please tell us your bank.'];
    const { out } = await admin(...reject, ...(await asRavi()));
    expect(out).toContain('status: rejected\n');
    expect(await acts(id)).toMatchObject([
      { act: 'withdrawal.reject', operator: ravi.username, id: ravi.id },
    ]);
  });

  /** Makes a batch of a month and sends it; returns the batch, and the lines of its file. */
  async function sent(month: string, ...options: string[]) {
    const { data: batch } = await json('payouts', 'make', '--month', month, ...(await asRavi()));
    const { out } = await admin('payouts', 'send', batch._id, ...options, ...(await asRavi()));
    return { batch, lines: out.split('\r\n') };
  }

  it('are paid in a batch: its file is CSV without formulas, and is written once', async () => {
    const cunning = await signUpSomebody(server, '=HYPERLINK("http://x.example","a, b")');
    const wide = await signUpSomebody(server, '＝1＋1');
    const { id } = await requestedWithdrawal(server, cunning.id, '2025-06');
    await requestedWithdrawal(server, wide.id, '2025-06');
    const { id: paid } = await requestedWithdrawal(server, asha.id, '2025-06');
    await json('withdrawals', 'complete', paid, '--reference', 'UTR 9', ...(await asRavi()));
    const { batch, lines } = await sent('2025-06');
    expect(lines[0]).toMatch(/^"id","withdrawal","month","rupees",/);
    expect(lines[1]).toContain(`"${id}","2025-06","1.00","${cunning.id}"`);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x.example"",""a, b"")"`);
    expect(lines[2]).toContain(`,"'＝1＋1",`);
    expect(lines.slice(3)).toEqual(['']);
    expect((await acts(batch._id)).map(({ act, id: by }) => [act, by])).toEqual([
      ['payout.make', ravi.id],
      ['payout.send', ravi.id],
    ]);
    expect(await refused('payouts', 'send', batch._id, ...(await asRavi()))).toBe(
      'This batch is sent already.',
    );
    const again = await admin('payouts', 'send', batch._id, '--again', 'true', ...(await asRavi()));
    expect(again.out.split('\r\n')).toEqual(lines);
    expect((await admin('payouts', 'list')).out).toContain(batch._id);
    expect((await admin('payouts', 'show', batch._id)).out).toContain('exported');
    expect(await refused('payouts', 'make', '--month', '2025-06', ...(await asRavi()))).toBe(
      'No withdrawal can be paid now.',
    );
  });

  it("are completed by the payer's result file, which may be imported twice", async () => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await requestedWithdrawal(server, (await signUpSomebody(server, name)).id, '2025-09')).id);
    const { batch } = await sent('2025-09');
    const of = (n: number) =>
      batch.payments.find((one: { withdrawalId: string }) => one.withdrawalId === ids[n])._id;
    const file = join(server.dataDir, 'answer.csv');
    const reconcile = async (text: string) => {
      await writeFile(file, text);
      return await admin('payouts', 'reconcile', '--file', file, ...(await asRavi()));
    };
    const answer = `\ufeffID,State,Amount,Reference,Reason\r\n${of(0)},paid,1.00,UTR 901,\r\n${of(1)},failed,1.00,,"Closed, says the bank"\r\n\r\n`;
    expect((await reconcile(answer)).out).toBe('2 noted, 0 unchanged, 0 refused.\n');
    expect((await reconcile(answer)).out).toBe('0 noted, 2 unchanged, 0 refused.\n');
    const stateOf = async (id: string | undefined) =>
      (await json('withdrawals', 'list', '--month', '2025-09')).data.find(
        (one: { _id: string }) => one._id === id,
      );
    expect(await stateOf(ids[0])).toMatchObject({ status: 'completed', reference: 'UTR 901' });
    expect(await stateOf(ids[1])).toMatchObject({ status: 'pending', payout: 'failed' });

    const late = await reconcile(
      `id,state,reason\n${of(0)},returned,Unknown account\n${of(1)},returned,Again\n`,
    );
    expect(late).toMatchObject({ code: 0, out: '1 noted, 1 unchanged, 0 refused.\n' });
    expect(await stateOf(ids[0])).toMatchObject({ status: 'pending', payout: 'returned' });
    expect((await acts(ids[0] ?? '')).map(({ act }) => act)).toEqual([
      'withdrawal.complete',
      'payout.return',
    ]);
    const refusedRow = await reconcile(`id,state,reference\n${of(1)},paid,UTR 902\n`);
    expect(refusedRow).toMatchObject({
      code: 1,
      out: `0 noted, 0 unchanged, 1 refused.\n${of(1)}: This payment is noted as failed.\n`,
    });
    // A file with one wrong row changes nothing.
    const wrong = await reconcile(`id,state,reference\n${of(2)},paid,UTR 903\n${of(2)},lost,\n`);
    expect([wrong.code, wrong.out]).toEqual([1, '']);
    expect(wrong.err).toContain('Row 2 of');
    expect(await stateOf(ids[2])).toMatchObject({ payout: 'sent' });
    for (const text of ['', 'id,state\n"open', 'id,state\n1,2,3\n'])
      expect(await reconcile(text)).toMatchObject({
        out: text === '' ? '0 noted, 0 unchanged, 0 refused.\n' : '',
      });
  });

  it('are summed by creator for a financial year, as CSV without formulas', async () => {
    const wide = await signUpSomebody(server, '＝1＋2');
    const { id } = await requestedWithdrawal(server, wide.id, '2025-06');
    await json('withdrawals', 'complete', id, '--reference', 'UTR 99', ...(await asRavi()));
    const india = new Date(Date.now() + 5.5 * 60 * 60 * 1000);
    const year = india.getUTCFullYear() - (india.getUTCMonth() < 3 ? 1 : 0);
    const { out } = await admin('withdrawals', 'totals', '--year', String(year));
    const [headings, ...rows] = out.trimEnd().split('\r\n');
    expect(headings).toBe('"year","userId","username","name","payments","rupees"');
    expect(rows.filter((row) => row.includes(wide.id))).toEqual([
      `"${year}-${year + 1}","${wide.id}","${wide.username}","'＝1＋2",1,"1.00"`,
    ]);
    expect(await refused('withdrawals', 'totals')).toMatch(/Please give the year/);
  });

  it('are exported with account numbers as text, only for an operator with a code, and by a template of the payer', async () => {
    const { id } = await requestedWithdrawal(server, asha.id, '2025-08');
    await server.db.deleteFrom('payout_destinations').where('person_id', '=', asha.id).execute();
    const payload = { kind: 'bank', account: '000123456789012345', ifsc: 'HDFC0001234', name: 'Asha Rao' };
    const { headers } = asha;
    await server.inject({ method: 'PUT', url: '/api/payout/destination', payload, headers });
    await server.db.updateTable('payout_destinations').set({ held_until: null }).execute();
    expect(await refused('payouts', 'make', '--month', '2025-08', '--as', ravi.username)).toMatch(/--code/);
    const listed = await admin('withdrawals', 'list', '--month', '2025-08');
    expect(listed.out).toContain('••••2345 HDFC Bank');
    const { batch, lines } = await sent('2025-08');
    expect(batch.payments).toMatchObject([{ withdrawalId: id, to: 'HDFC Bank ••••2345' }]);
    expect(lines[1]).toContain(`"bank","","'000123456789012345","HDFC0001234","Asha Rao"`);

    const template = join(server.dataDir, 'template.csv');
    await writeFile(
      template,
      'Beneficiary,Account,UPI,Amount,Remark\n{payee},{account},{vpa},{rupees},{id}\n',
    );
    const byTemplate = await adminOn(
      { DATABASE_URL: server.url, DATA_DIR: server.dataDir, PAYOUT_FILE_TEMPLATE: template },
      ['payouts', 'send', batch._id, '--again', 'true', ...(await asRavi())],
    );
    expect(byTemplate.out).toBe(
      `"Beneficiary","Account","UPI","Amount","Remark"\r\n"Asha Rao","000123456789012345","","1.00","${batch.payments[0]._id}"\r\n`,
    );
    const { rows } = await sql<{
      log: string;
    }>`select coalesce(string_agg(details::text, ' '), '') as log from audit_log`.execute(server.db);
    expect(rows[0]?.log).not.toContain('000123456789012345');
  });

  it('in a large batch are approved by a second operator', async () => {
    const uma = await signUpSomebody(server, 'Uma');
    await enrolOperator(server, uma);
    await requestedWithdrawal(server, asha.id, '2025-10');
    const at = { DATABASE_URL: server.url, DATA_DIR: server.dataDir, PAYOUT_APPROVAL_ABOVE: '0' };
    const as = async (who: Person) => [
      '--as',
      who.username,
      '--code',
      await anotherRecoveryCode(server, who.id),
    ];
    const run = async (who: Person, ...words: string[]) =>
      await adminHere(at, [...words, ...(await as(who))]);
    const { out } = await run(ravi, 'payouts', 'make', '--month', '2025-10', '--json');
    const { _id: id, state } = JSON.parse(out).data;
    expect(state).toBe('proposed');
    expect((await run(ravi, 'payouts', 'approve', id)).err).toBe(
      'You made this batch: another operator approves it.\n',
    );
    expect((await run(uma, 'payouts', 'approve', id)).out).toContain('approved');
    expect((await run(ravi, 'payouts', 'cancel', id)).out).toContain('cancelled');
  });
});

describe('reports', () => {
  const report = async (kind: string, targetId: string) => {
    await server.inject({
      method: 'POST',
      url: '/api/report',
      headers: ravi.headers,
      payload: { kind, id: targetId, reason: 'spam', text: 'Look\u001b[2J' },
    });
    const row = await server.db
      .selectFrom('cases')
      .select('id')
      .where('target_id', '=', targetId)
      .executeTakeFirstOrThrow();
    return row.id;
  };

  it('are listed, answered by a take-down, restored, and closed', async () => {
    const postId = await postOf(asha);
    const reportId = await report('post', postId);
    const listed = await admin('reports', 'list');
    expect(listed.out).toContain(postId);
    // The text of people contains no terminal escapes.
    expect(listed.out).not.toContain('\u001b');

    const down = await json(
      'reports',
      'take-down',
      reportId,
      '--what',
      'content',
      '--rule',
      'spam',
      '--reason',
      'Not yours',
      ...(await asRavi()),
    );
    expect(down).toEqual({ data: { kind: 'post', _id: postId, takenDown: 'Not yours' } });
    expect((await server.inject({ url: `/api/post/getPost/${postId}` })).statusCode).toBe(404);
    expect((await json('reports', 'list')).data).toEqual([]);
    expect((await json('reports', 'list', '--state', 'decided')).data).toMatchObject([
      { _id: reportId, state: 'taken_down', closedAt: expect.any(String) },
    ]);
    await json('reports', 'restore', `post:${postId}`, ...(await asRavi()));
    expect((await server.inject({ url: `/api/post/getPost/${postId}` })).statusCode).toBe(200);

    const other = await report('person', asha.id);
    await json('reports', 'close', other, '--reason', 'Harmless', ...(await asRavi()));
    expect(await acts(other)).toMatchObject([
      { act: 'report.close', details: { about: `person:${asha.id}`, reason: 'Harmless' } },
    ]);
    expect(await acts(postId)).toMatchObject([
      {
        act: 'content.take-down',
        operator: ravi.username,
        details: { what: 'content', rule: 'spam', reason: 'Not yours', reports: 1 },
      },
      { act: 'content.restore' },
    ]);
  });
});

describe('accounts without mail (decision 0049)', () => {
  const post = (url: string, payload: object, headers = {}) =>
    server.inject({ method: 'POST', url, payload, headers });
  const reset = (token: string, password: string) =>
    post('/api/password/reset', { token, password, cpassword: password });
  const secretIn = (out: string) => /ResetPassword#(\S+)/.exec(out)?.[1] ?? '';
  const notified = async ({ id, headers }: Person) => {
    const url = `/api/notification/getNotifications/${id}`;
    const { data } = (await server.inject({ url, headers })).json();
    return (data as { kind: string; title: string }[]).map(({ kind, title }) => ({ kind, title }));
  };

  it('are marked as verified, once; the log names the operator, and the person is notified', async () => {
    const nina = await signUpSomebody(server, 'Nina');
    const { code, out } = await admin('people', 'verify-email', nina.username, ...(await asRavi()));
    expect([code, out]).toEqual([0, `@${nina.username}: ${nina.email} is verified now.\n`]);
    const again = await admin('people', 'verify-email', nina.username, ...(await asRavi()));
    expect(again.out).toContain('was verified already');
    expect((await post('/api/userdata', {}, nina.headers)).json().data.emailVerified).toBe(true);
    expect(await acts(nina.id)).toEqual([
      { act: 'person.verify-email', operator: ravi.username, id: ravi.id, details: {} },
    ]);
    expect(await notified(nina)).toEqual([
      { kind: 'address_verified', title: 'An operator marked your email address as verified' },
    ]);
  });

  it('get a link that resets the password once: sessions, links to Google and pending changes end', async () => {
    const omar = await signUpSomebody(server, 'Omar');
    const issuer = 'https://accounts.google.com';
    const linked = { issuer, subject: omar.id, person_id: omar.id, linked_at: new Date() };
    await server.db.insertInto('identities').values(linked).execute();
    const change = { email: 'thief@people.example', email_key: 'thief@people.example' };
    await server.db
      .insertInto('email_changes')
      .values({
        ...change,
        id: omar.id,
        person_id: omar.id,
        old_email: omar.email,
        old_email_key: omar.email,
        created_at: new Date(),
        changed_at: null,
        expires_at: new Date(Date.now() + 60 * 60 * 1000),
      })
      .execute();
    const { code, out } = await admin('people', 'reset-link', omar.username, ...(await asRavi()));
    expect(code).toBe(0);
    expect(await notified(omar)).toMatchObject([{ kind: 'reset_link_made' }]);
    const log = await acts(omar.id);
    expect(log).toEqual([{ act: 'person.reset-link', operator: ravi.username, id: ravi.id, details: {} }]);
    expect(JSON.stringify(log)).not.toContain(secretIn(out));

    expect((await reset(secretIn(out), 'omar is back again')).json()).toEqual({ status: 'ok' });
    expect((await reset(secretIn(out), 'somebody else is')).json().code).toBe('link_over');
    expect((await post('/api/userdata', {}, omar.headers)).statusCode).toBe(401);
    for (const table of ['identities', 'email_changes'] as const)
      expect(
        await server.db.selectFrom(table).select('person_id').where('person_id', '=', omar.id).execute(),
      ).toEqual([]);
    const signIn = (password: string) => post('/api/signin', { email: omar.email, password });
    expect((await signIn('correct horse')).statusCode).toBe(401);
    const { data: token, user } = (await signIn('omar is back again')).json();
    expect(user.emailVerified).toBe(true);
    // For three days the new password cannot change links or address.
    const unlink = await server.inject({
      method: 'DELETE',
      url: '/api/link-google',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(unlink.json().code).toBe('recently_changed');
  });

  it('of operators and of suspended people get neither', async () => {
    const [pia, quin] = [await signUpSomebody(server, 'Pia'), await signUpSomebody(server, 'Quin')];
    await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', pia.id).execute();
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', quin.id)
      .execute();
    for (const name of ['verify-email', 'reset-link']) {
      const [operator, away] = [
        await admin('people', name, pia.username, ...(await asRavi())),
        await admin('people', name, quin.username, ...(await asRavi())),
      ];
      expect([operator.code, operator.err.trim()]).toEqual([
        1,
        'This is an operator: no other operator gets into their account.',
      ]);
      expect([away.code, away.err.trim()]).toEqual([1, 'This account is suspended; restore it first.']);
    }
    expect(await refused('people', 'reset-link', asha.username)).toMatch(/--as <username> --code <code>/);
    const links = server.db.selectFrom('account_links').select('purpose');
    expect(await links.where('person_id', 'in', [asha.id, pia.id, quin.id]).execute()).toEqual([]);
    expect([...(await acts(pia.id)), ...(await acts(quin.id))]).toEqual([]);
  });

  it('with names that could no longer be chosen are listed', async () => {
    const rita = await signUpSomebody(server, 'Rita');
    const username = `\u0430dmin${process.pid}`;
    await server.db
      .updateTable('people')
      .set({ username, username_key: username })
      .where('id', '=', rita.id)
      .execute();
    const { data } = await json('people', 'names');
    expect(data).toContainEqual({
      _id: rita.id,
      username,
      name: 'Rita',
      field: 'username',
      problem: 'Please write your username in the letters of one script.',
    });
  });
});

describe('people', () => {
  it('are found, suspended, restored; made operators', async () => {
    const mona = await signUpSomebody(server, 'Mona Lisa');
    expect((await json('people', 'find', 'MONA l')).data).toMatchObject([
      { _id: mona.id, email: mona.email },
    ]);
    expect((await json('people', 'find', mona.id)).data).toHaveLength(1);

    const suspend = [
      'people',
      'suspend',
      `@${mona.username.toUpperCase()}`,
      '--rule',
      'spam',
      '--days',
      '7',
      '--reason',
      'Spam',
    ];
    const { out } = await admin(...suspend, ...(await asRavi()));
    expect(out).toContain(`username: ${mona.username}\n`);
    expect(out).toContain('suspendedAt: ');
    expect(await refused('people', 'make-operator', mona.username, ...(await asRavi()))).toMatch(
      /restore it first/,
    );
    await json('people', 'restore', mona.id, ...(await asRavi()));
    expect(await json('people', 'make-operator', mona.username, ...(await asRavi()))).toMatchObject({
      data: { role: 'administrator' },
      enrolment: expect.stringMatching(/^[a-z2-7-]{19}$/),
    });
    expect(
      await refused('people', 'suspend', mona.id, '--rule', 'spam', '--reason', 'x', ...(await asRavi())),
    ).toMatch(/take that role away/);
    expect(await json('people', 'remove-operator', mona.username, ...(await asRavi()))).toMatchObject({
      data: { role: 'person' },
    });
    expect((await acts(mona.id)).map(({ act }) => act)).toEqual([
      'person.suspend',
      'person.restore',
      'person.make-operator',
      'person.remove-operator',
    ]);
  });
});

describe('acts on people and money', () => {
  const words = (person: Person) => ['people', 'suspend', person.id, '--rule', 'spam', '--reason', 'Spam'];

  it('are refused without an operator and their code, and with a used code', async () => {
    const mona = await signUpSomebody(server, 'Mona');
    const sentence = /--as <username> --code <code>/;
    expect(await refused(...words(mona))).toMatch(sentence);
    expect(await refused(...words(mona), '--as', ravi.username)).toMatch(sentence);
    expect(await refused('people', 'make-operator', mona.username)).toMatch(sentence);
    expect(
      await refused(
        'reports',
        'take-down',
        `post:${v7()}`,
        '--what',
        'copy',
        '--rule',
        'spam',
        '--reason',
        'Spam',
      ),
    ).toMatch(sentence);
    // A command that needs no code also refuses an operator without a second factor.
    expect(await refused('log', 'list', '--as', ravi.username)).toMatch(sentence);
    expect(await refused(...words(mona), '--as', ravi.username, '--code', 'aaaa-aaaa-aaaa-aaaa')).toBe(
      'This code is wrong, too old or was used already.',
    );
    const code = await asRavi();
    await json(...words(mona), ...code);
    expect(await refused('people', 'restore', mona.id, ...code)).toMatch(/was used already/);
    await json('people', 'restore', mona.id, ...(await asRavi()));
  });

  it('accept a code of the authenticator app', async () => {
    const uma = await signUpSomebody(server, 'Uma');
    // From half a minute ago, so that a later code is still valid; and one that a slow machine has time for.
    const { secret } = await enrolOperator(server, uma, new Date(Date.now() - 30_000));
    const code = appCode(secret, new Date(Date.now() + 30_000));
    const as = ['--as', uma.username, '--code', code];
    const mona = await signUpSomebody(server, 'Mona');
    expect((await json(...words(mona), ...as)).data).toMatchObject({ suspendedAt: expect.any(String) });
  });

  it('an operator without the lost factor gets a code to enrol again: it is logged, and all operators are notified', async () => {
    const uma = await signUpSomebody(server, 'Uma');
    const { recoveryCodes } = await enrolOperator(server, uma, new Date());
    expect(await refused('operators', 'enrol', uma.username)).toMatch(/has a second factor/);
    expect(await refused('operators', 'reset-factor', asha.username)).toMatch(/is not an operator/);
    const { enrolment } = await json('operators', 'reset-factor', uma.username);
    const toldOfIt = await server.db
      .selectFrom('notifications')
      .select('person_id')
      .where('kind', '=', 'factor_reset')
      .execute();
    expect(toldOfIt.map(({ person_id }) => person_id)).toEqual(expect.arrayContaining([uma.id, ravi.id]));
    expect(await acts(uma.id)).toMatchObject([{ act: 'operator.reset-factor', id: null }]);
    const mona = await signUpSomebody(server, 'Mona');
    const old = ['--as', uma.username, '--code', recoveryCodes[0] ?? ''];
    expect(await refused(...words(mona), ...old)).toMatch(/Operators need a second factor/);
    const log = () => server.inject({ url: '/api/operator/log', headers: uma.headers });
    expect((await log()).json().code).toBe('second_factor_required');
    const begun = await server.inject({
      method: 'POST',
      url: '/api/second-factor/begin',
      headers: uma.headers,
      payload: { code: enrolment },
    });
    expect(begun.statusCode).toBe(200);
    expect((await json('operators', 'enrol', uma.username)).enrolment).not.toBe(enrolment);
    expect((await json('operators', 'list')).data).toContainEqual({
      id: uma.id,
      username: uma.username,
      role: 'administrator',
      enrolledAt: null,
    });
  });
});

describe('months', () => {
  it('are released with a reason and a code, of one creator and of all; each is logged', async () => {
    const [meera, nila] = [await signUpSomebody(server, 'Meera'), await signUpSomebody(server, 'Nila')];
    await closedMonthOf(server.db, '2025-02', { creatorIds: [meera.id, nila.id], views: 1500 });
    const release = ['months', 'release', '2025-02'];
    expect(await refused(...release, '--reason', 'New')).toMatch(/--as/);
    expect(await refused(...release, ...(await asRavi()))).toMatch(
      /Please give a reason that the creator will understand/,
    );
    const reason = ['--reason', 'They never log in'];
    const { data } = await json(...release, '--of', meera.username, ...reason, ...(await asRavi()));
    expect(data).toMatchObject([{ userId: meera.id, month: '2025-02', views: 500, coins: 50 }]);
    const { out } = await admin(...release, ...reason, ...(await asRavi()));
    expect(out).toMatch(new RegExp(`^${nila.id} .* 500 +50 +${data[0].countsIn}$`, 'm'));
    expect((await admin(...release, ...reason, ...(await asRavi()))).out).toBe('None.\n');
    for (const { id } of [meera, nila])
      expect(await acts(id)).toEqual([
        {
          act: 'month.release',
          operator: ravi.username,
          id: ravi.id,
          details: { reason: 'They never log in', month: '2025-02', views: 500, coins: 50 },
        },
      ]);
  });
});

describe('views of a month', () => {
  it('are declared void with a reason and a code, waiting and paying ones, once; each is logged', async () => {
    const { id, username } = await signUpSomebody(server, 'Tara');
    await closedMonthOf(server.db, '2025-03', { creatorIds: [id], views: 1500 });
    const declare = ['months', 'void', '2025-03', '--reason', 'A script'];
    expect(await refused(...declare, '--of', username)).toMatch(/--as/);
    expect(await refused(...declare, ...(await asRavi()))).toMatch(/Please say who, as --of/);
    const { out } = await admin(...declare, '--of', username, ...(await asRavi()));
    expect(out).toContain('views: 500\ncoins: 0\ncountsIn: 2025-03\n');
    const { data } = await json(...declare, '--of', username, '--what', 'paid', ...(await asRavi()));
    expect(data).toMatchObject({ views: 1000, coins: 100, countsIn: '2025-03' });
    const again = await admin(...declare, '--of', username, ...(await asRavi()));
    expect(again.out).toBe('None.\n');
    const details = { reason: 'A script', month: '2025-03' };
    expect(await acts(id)).toMatchObject([
      { act: 'month.void', details: { ...details, what: 'waiting', views: 500, coins: 0 } },
      { act: 'month.void', details: { ...details, what: 'paid', views: 1000, coins: 100 } },
    ]);
  });

  it('are decided together with a withdrawal, each logged', async () => {
    const creators = [await signUpSomebody(server, 'Indu'), await signUpSomebody(server, 'Juhi')];
    const ids: string[] = [];
    for (const { id } of creators) ids.push((await requestedWithdrawal(server, id, '2025-04')).id);
    await closedMonthOf(server.db, '2025-04', { creatorIds: creators.map(({ id }) => id), views: 1200 });
    const [paid = '', rejected = ''] = ids;
    const complete = ['withdrawals', 'complete', paid, '--reference', 'UTR 81', '--waiting', 'release'];
    expect(await refused(...complete, ...(await asRavi()))).toMatch(/Please give a reason that the creator/);
    await admin(...complete, '--reason', 'A new site', ...(await asRavi()));
    const reject = ['withdrawals', 'reject', rejected, '--reason', 'A script', '--waiting', 'void_paid'];
    await admin(...reject, ...(await asRavi()));
    const all = await Promise.all(creators.map(({ id }) => acts(id)));
    expect(all).toMatchObject([
      [{ act: 'month.release', details: { reason: 'A new site', views: 200 } }],
      [
        { act: 'month.void', details: { what: 'waiting', views: 200 } },
        { act: 'month.void', details: { what: 'paid', views: 1000 } },
      ],
    ]);
    expect(await acts(rejected)).toMatchObject([{ act: 'withdrawal.reject' }]);
  });
});

describe('read-only commands', () => {
  it('messages and feedback', async () => {
    await server.inject({
      method: 'POST',
      url: '/api/contact/contact',
      payload: { name: 'A', email: 'a@people.example', text: 'Where is my reel?' },
    });
    await server.inject({ method: 'POST', url: '/api/feedback/feed', payload: { text: 'More kites' } });
    expect((await json('messages', 'list')).data).toMatchObject([
      { kind: 'contact', text: 'Where is my reel?' },
    ]);
    expect((await json('feedback', 'list')).data).toMatchObject([{ kind: 'feedback', text: 'More kites' }]);
  });

  it('categories, with displayed and fresh counts', async () => {
    const { data } = await json('categories', 'list');
    expect(data).toHaveLength(42);
    for (const { count, reels } of data) expect(count).toBe(reels);
  });

  it('the log, page by page', async () => {
    const first = await json('log', 'list', '--limit', '1');
    const second = await json('log', 'list', '--limit', '1', '--cursor', first.nextCursor);
    expect(second.data[0]._id < first.data[0]._id).toBe(true);
    expect((await admin('log', 'list', '--limit', '1')).out).toContain(`--cursor ${first.nextCursor}`);
  });

  it('the ledger audit: exit code 0 without differences; each difference is reported, with exit code 1', async () => {
    const honest = await startTestServer();
    const on = (...words: string[]) =>
      adminHere({ DATABASE_URL: honest.url, DATA_DIR: honest.dataDir }, words);
    const creator = await signUpSomebody(honest);
    await publishPicture(honest.db, honest.dataDir, creator.id, 'A photo', new Date());
    expect(await on('ledger', 'audit')).toMatchObject({
      code: 0,
      out: '1 months and 0 withdrawals were derived again; 0 figures differ.\n',
    });
    await honest.db.updateTable('creator_months').set({ posts: 7 }).execute();
    const { code, out } = await on('ledger', 'audit');
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`month +${creator.id} +\\d{4}-\\d{2} +posts +7 +1`));

    const last = (...more: string[]) => on('ledger', 'last-audit', ...more);
    expect(await last()).toMatchObject({ code: 1, out: 'There has been no audit yet.\n' });
    await runAudit(contextOn(honest.db));
    expect(await last()).toMatchObject({ code: 1, out: expect.stringContaining('; 1 figures differed.\n') });
    await honest.db.updateTable('creator_months').set({ posts: 1 }).execute();
    await runAudit(contextOn(honest.db));
    expect(await last()).toMatchObject({ code: 0, out: expect.stringContaining('; 0 figures differed.\n') });
    await honest.close();
  });
});

describe('distribute and undistribute', () => {
  it.each(['distribute', 'undistribute'])('%s says on one PostgreSQL that Citus is missing', async (name) => {
    expect(await refused(name)).toBe(
      'This database is not one of a Citus cluster: create the extension citus in it, and add its workers, first.',
    );
  });
});

describe('media audit', () => {
  it('exit code 0 without differences; each difference is reported, with exit code 1 [long]', async () => {
    const honest = await startTestServer();
    const settings = { DATABASE_URL: honest.url, DATA_DIR: honest.dataDir };
    expect(await adminOn(settings, ['media', 'audit'])).toMatchObject({
      code: 0,
      out: '0 references and 0 files were compared; 0 differ.\n',
    });
    const creator = await signUpSomebody(honest);
    const id = await publishReel(honest, creator);
    const row = honest.db.selectFrom('reels').select('media_key').where('id', '=', id);
    const { media_key: key } = await row.executeTakeFirstOrThrow();
    await rm(join(honest.dataDir, 'media', key.slice(0, 2), key, 'poster.webp'));
    const { code, out } = await adminOn(settings, ['media', 'audit']);
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`missing +media/${key}/poster.webp +reel of ${creator.id} +\\d+`));
    const told = await adminOn(settings, ['media', 'audit', '--json']);
    expect(JSON.parse(told.out).differences).toMatchObject([
      { what: 'missing', row: `reel of ${creator.id}` },
    ]);
    await honest.close();
  });
});

describe('keys', () => {
  it('are listed, rotated while the site runs, and copied elsewhere; each act is logged [long]', async () => {
    const site = await startTestServer();
    const settings = { DATABASE_URL: site.url, DATA_DIR: site.dataDir };
    const copy = join(site.dataDir, 'copy');
    const other = v7();
    await hold(site.db, other, ['data.1']);
    expect(await adminOn(settings, ['keys', 'rotate'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Version 2 of the key data is in'),
    });
    const { out } = await adminOn(settings, ['keys', 'list']);
    expect(out).toMatch(/data +2 +waits until every process can read it/);
    await release(site.db, other);
    await site.keyring.refresh();
    expect((await adminOn(settings, ['keys', 'list'])).out).toMatch(/data +2 +in use/);
    expect(await adminOn(settings, ['keys', 'backup', copy])).toMatchObject({
      code: 0,
      out: `10 keys are in ${copy}.\n`,
    });
    expect(await readdir(copy)).toEqual(await readdir(join(site.dataDir, 'keys')));
    expect((await adminOn(settings, ['keys', 'retire'])).err).toContain('less than a day');
    await site.db
      .updateTable('keyring_keys')
      .set({ active_at: new Date(Date.now() - 25 * 60 * 60 * 1000) })
      .execute();
    expect((await adminOn(settings, ['keys', 'retire'])).out).toContain('Deleted: data.1.');
    const log = await site.db.selectFrom('audit_log').select(['act', 'target_id']).orderBy('id').execute();
    expect(log).toEqual([
      { act: 'keys.rotate', target_id: 'data.2' },
      { act: 'keys.backup', target_id: copy },
      { act: 'keys.retire', target_id: 'data.1' },
    ]);
    await site.close();
  });

  it('are not in a backup of the site, which says so [long]', async () => {
    const site = await startTestServer();
    const settings = { DATABASE_URL: site.url, DATA_DIR: site.dataDir };
    const { out } = await adminOn(settings, ['backup', join(site.dataDir, 'backup')]);
    expect(out).toContain(
      `The keys in ${join(site.dataDir, 'keys')} are not: npm run admin -- keys backup writes them to another place.`,
    );
    await site.close();
  });
});

describe('on a site with mail, from a shell without the mail settings', () => {
  let site: Awaited<ReturnType<typeof startMailingServer>>;
  let olga: Person;
  beforeAll(async () => {
    site = await startMailingServer();
    olga = await signUpSomebody(site.server, 'Olga');
    await enrolOperator(site.server, olga);
  });
  afterAll(() => site.close());
  const run = async (...words: string[]) => {
    const at = { DATABASE_URL: site.server.url, DATA_DIR: site.server.dataDir };
    const code = await anotherRecoveryCode(site.server, olga.id);
    return await adminHere(at, [...words, '--as', olga.username, '--code', code]);
  };

  it('people verify-email notifies the person by mail', async () => {
    const nina = await signUpSomebody(site.server, 'Nina');
    expect(await run('people', 'verify-email', nina.username)).toMatchObject({ code: 0, err: '' });
    const { template } = await site.server.db
      .selectFrom('mails')
      .select('template')
      .where('person_id', '=', nina.id)
      .where('is_notice', '=', true)
      .executeTakeFirstOrThrow();
    expect(template).toBe('address_verified');
  });

  it('payouts make leaves out people whose address is unverified', async () => {
    const omar = await signUpSomebody(site.server, 'Omar');
    await requestedWithdrawal(site.server, omar.id, '2025-10');
    expect((await run('payouts', 'make', '--month', '2025-10')).err).toContain(
      'No withdrawal can be paid now',
    );
    await run('people', 'verify-email', omar.username);
    expect((await run('payouts', 'make', '--month', '2025-10')).out).toContain('approved');
  });
});

describe('on the embedded database', () => {
  it('works beside the running server, and starts and stops the database if no server runs [long]', async () => {
    const folder = await dataFolder();
    const settings = { DATA_DIR: folder.path };
    const program = await startProgram(settings);
    const form = {
      name: 'O',
      username: 'olga',
      email: 'o@people.example',
      password: 'a password',
      cpassword: 'a password',
    };
    await fetch(`${program.origin}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
    const made = await adminOn(settings, ['people', 'make-operator', 'olga']);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^username: olga\n(?:.+\n)*role: administrator\n(?:.+\n)*enrolment: \S{19}\n/m);
    await program.stop();

    const alone = await adminOn(settings, ['log', 'list', '--json']);
    expect(alone.code).toBe(0);
    expect(JSON.parse(alone.out).data).toMatchObject([{ act: 'person.make-operator' }]);
    const again = await startProgram(settings);
    expect(await again.stop()).toBe(0);
    await folder.remove();
  });

  it.runIf(isWhole)(
    'works after the server was killed, which leaves the URL of a stopped database',
    async () => {
      const folder = await dataFolder();
      const settings = { DATA_DIR: folder.path };
      const killed = await startProgram(settings);
      await killed.kill();
      expect((await adminOn(settings, ['log', 'list'])).code).toBe(0);
      await folder.remove();
    },
  );
});
