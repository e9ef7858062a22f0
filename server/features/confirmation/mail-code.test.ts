import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { enrolOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = new Date();
let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let smtp: typeof mailing.smtp;
let asha: Person;
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server, smtp } = mailing);
});
afterAll(() => mailing.close());
beforeEach(async () => {
  server.now.value = start;
  asha = await signUpSomebody(server, 'Asha');
  await server.db.updateTable('people').set({ email_verified_at: start }).where('id', '=', asha.id).execute();
  later(11 * minute);
});
afterEach(async () => {
  await server.db.deleteFrom('mails').execute();
  smtp.mails.length = 0;
});

const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
type Headers = Record<string, string>;
const post = (path: string, payload: object, headers: Headers = asha.headers) =>
  server.inject({ method: 'POST', url: `/api/${path}`, payload, headers });
const result = ({ statusCode, json }: { statusCode: number; json: () => { code?: string } }) =>
  `${statusCode} ${json().code ?? ''}`.trim();
const exportAct = { act: 'export', params: {} };
const ask = async (form: object = exportAct, headers?: Headers) =>
  result(await post('confirm/send-code', form, headers));
const confirm = (code: string, form: object = exportAct, headers?: Headers) =>
  post('confirm', { ...form, code }, headers);
const exportWith = async (confirmation: string, headers: Headers = asha.headers) =>
  result(await post('export', {}, { ...headers, 'x-confirmation': confirmation }));
/** Sends the mail and returns its code. */
async function mailedCode(): Promise<string> {
  await mailing.sendAll();
  return /^\d{6}$/m.exec(smtp.mails.at(-1)?.text ?? '')?.[0] ?? '';
}
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code by mail (decisions §8)', () => {
  it('confirms the act it was sent for, once', async () => {
    expect(await ask()).toBe('200');
    const code = await mailedCode();
    expect(smtp.mails).toMatchObject([{ to: [asha.email], subject: 'Your code for Jhalak' }]);
    const { confirmation } = (await confirm(` ${code.slice(0, 3)} ${code.slice(3)} `)).json();
    expect(await exportWith(confirmation)).toBe('200');
    expect(await exportWith(confirmation)).toBe('403 confirmation_required');
    expect(result(await confirm(code))).toBe('403 wrong_code');
  });

  it('does not make a session fresh', async () => {
    await ask();
    const { confirmation } = (await confirm(await mailedCode())).json();
    expect(await exportWith(confirmation)).toBe('200');
    expect(result(await post('export', {}))).toBe('403 confirmation_required');
  });

  it('counts once when it arrives several times in parallel', async () => {
    await ask();
    const code = await mailedCode();
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(code)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('does not confirm another act, other parameters, or anything in another session or for another person', async () => {
    await ask({ act: 'delete_account', params: { userId: asha.id } });
    const code = await mailedCode();
    const binod = await signUpSomebody(server, 'Binod');
    const { data } = await call(server, {
      method: 'POST',
      url: '/api/signin',
      payload: { email: asha.email, password: 'correct horse' },
    });
    const wanted = { act: 'delete_account', params: { userId: asha.id } };
    const wrong = [
      await confirm(code),
      await confirm(code, { act: 'delete_account', params: { userId: binod.id } }),
      await confirm(code, wanted, { authorization: `Bearer ${data}` }),
      await confirm(code, wanted, binod.headers),
    ];
    expect(wrong.map(result)).toEqual(Array(4).fill('403 wrong_code'));
    expect(result(await confirm(code, wanted))).toBe('200');
  });

  it('cannot be guessed: after five tries the right one is refused, too', async () => {
    await ask();
    const code = await mailedCode();
    for (let guess = 0; guess < 5; guess += 1)
      expect(result(await confirm(another(code)))).toBe('403 wrong_code');
    expect(result(await confirm(code))).toBe('403 wrong_code');
    expect(await ask()).toBe('200');
    expect(result(await confirm(await mailedCode()))).toBe('200');
  });

  it('works for ten minutes after it is sent, and a newer one replaces it', async () => {
    await ask();
    later(30 * minute);
    const first = await mailedCode();
    later(9 * minute);
    await ask();
    expect(result(await confirm(first))).toBe('403 wrong_code');
    const next = await mailedCode();
    later(10 * minute);
    expect(result(await confirm(next))).toBe('403 wrong_code');
  });

  it('is sent at most three times an hour, whatever the session', async () => {
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      '200',
      '200',
      '200',
      '429 too_many_requests',
    ]);
    later(hour + 1000);
    expect(await ask()).toBe('200');
  });

  it('is stored neither in plain text nor in a pending mail', async () => {
    await ask();
    const code = await mailedCode();
    await ask();
    const rows = [
      await server.db.selectFrom('confirmation_codes').selectAll().where('person_id', '=', asha.id).execute(),
      await server.db.selectFrom('mails').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(code);
    const [waiting] = rows[0] as { code_hash: string | null }[];
    expect(waiting?.code_hash).toBeNull();
  });

  it('is not sent to an unverified address, nor for an act of operators', async () => {
    const binod = await signUpSomebody(server, 'Binod');
    expect(await ask(exportAct, binod.headers)).toBe('403 email_unverified');
    await enrolOperator(server, asha, server.now.value);
    const id = asha.id;
    const act = { act: 'set_role', params: { id, role: 'administrator' } };
    expect(await ask(act)).toBe('403 second_factor_required');
    expect(result(await confirm('123456', act))).toBe('403 second_factor_required');
  });

  it('does not confirm acts about links and address for 72 hours after a password reset by a link', async () => {
    await server.db
      .updateTable('people')
      .set({ password_reset_at: server.now.value })
      .where('id', '=', asha.id)
      .execute();
    const act = { act: 'change_email', params: { email: 'thief@mail.example' } };
    expect(await ask(act)).toBe('403 recently_changed');
    expect(result(await confirm('123456', act))).toBe('403 recently_changed');
    expect(await ask()).toBe('200');
    later(73 * hour);
    expect(await ask(act)).toBe('200');
    expect(result(await confirm(await mailedCode(), act))).toBe('200');
  });
});

it('without a mail server no code is sent, and the response says so', async () => {
  const silent = await startTestServer();
  const somebody = await signUpSomebody(silent);
  const answer = await silent.inject({
    method: 'POST',
    url: '/api/confirm/send-code',
    headers: somebody.headers,
    payload: exportAct,
  });
  expect(result(answer)).toBe('404 mail_off');
  await silent.close();
});
