import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { words as mails } from '#server/features/mail/words.ts';
import { holdMonths } from '#server/features/month-counts/months.ts';
import { closingJob } from '#server/features/months/closing.ts';
import { invite } from '#server/features/second-factor/second-factor.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { freePort } from '#server/platform/database/embedded.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { sharedBrowser } from '#testing/browser/browser.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';
import { type Client, clientAt, signUpAt } from '#testing/clients/api-client.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { adminOn } from '#testing/servers/admin-command.ts';
import { appCode } from '#testing/servers/operators.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { runNow } from '#testing/servers/queues.ts';
import { type StandInPayout, startRazorpayx } from '#testing/servers/razorpayx.ts';
import { startSmtp } from '#testing/servers/smtp.ts';
import { isWhole, someOf } from '#testing/share.ts';
import english from '#web/messages/payout/en.json';
import hindi from '#web/messages/payout/hi.json';

/*
 * From sign-up to payment: a site of its own with a real mail server, the stand-in of the payer, and a clock
 * that tests can move. People use the pages, operators the command line, and the app its calls.
 */
const october = '2026-10';
type Step = 'requested' | 'approved' | 'sent' | 'failed' | 'completed' | 'returned' | 'nextCompleted';
const vpa = 'asha.rao@okaxis';

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let payer: Awaited<ReturnType<typeof startRazorpayx>>;
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
let program: Program;
let settings: Record<string, string>;
let now: Date;
const secrets = new Map<string, string>();

/** Moves the clock of the site and of its commands, which is that of India. */
async function itIs(time: string): Promise<void> {
  now = new Date(`${time}+05:30`);
  await writeFile(settings.TEST_CLOCK ?? '', now.toISOString());
}

beforeAll(async () => {
  [smtp, payer, data, database] = await Promise.all([
    startSmtp(),
    startRazorpayx(),
    dataFolder(),
    freshDatabase(),
  ]);
  db = await openDatabase(database.url, 2);
  const port = await freePort();
  settings = {
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    ORIGIN: `http://localhost:${port}`,
    SMTP_URL: smtp.url,
    TEST_CLOCK: join(data.path, 'clock'),
    // A rupee needs two operators.
    PAYOUT_APPROVAL_ABOVE: '1',
    ...payer.settings,
  };
  await itIs('2026-10-01T10:00');
  program = await startProgram({ ...settings, PORT: String(port) });
});
afterAll(async () => {
  await program?.stop();
  await db?.destroy();
  await Promise.all([smtp?.close(), payer?.close(), database?.drop()]);
  await data?.remove();
});

/** An operator who has enrolled an authenticator app. */
async function newOperator(username: string): Promise<void> {
  const client = await signUpAt(program.origin, username);
  await db.updateTable('people').set({ role: 'operator' }).where('id', '=', client.id).execute();
  const code = await inTransaction(db, (trx) => invite(trx, client.id, now));
  const { body } = await client.send('POST', '/api/second-factor/begin', { code });
  const { secret } = body as unknown as { secret: string };
  await client.send('POST', '/api/second-factor/finish', { totp: appCode(secret, now) });
  secrets.set(username, secret);
}

let minutes = 0;
const noonOf = (day: string) => `${day}T12:${String(minutes).padStart(2, '0')}`;
/** A command of an operator; each runs in a minute of its own, since a code is valid once. */
async function command(day: string, operator: string, ...words: string[]): Promise<{ _id: string }> {
  minutes += 1;
  await itIs(noonOf(day));
  const code = appCode(secrets.get(operator) ?? '', now);
  const {
    code: exit,
    out,
    err,
  } = await adminOn(settings, [...['--json', '--as', operator, '--code', code], ...words]);
  expect({ words, exit, err }).toEqual({ words, exit: 0, err: '' });
  return JSON.parse(out).data as { _id: string };
}

/** One operator makes a batch, another approves it, and it is sent to the payer; returns its newest payment. */
async function sendBatch(day: string): Promise<StandInPayout> {
  const before = payer.payouts.size;
  const { _id } = await command(day, 'ravi', 'payouts', 'make');
  await command(day, 'sita', 'payouts', 'approve', _id);
  await command(day, 'ravi', 'payouts', 'send', _id);
  await expect.poll(() => payer.payouts.size).toBe(before + 1);
  return [...payer.payouts.values()].at(-1) as StandInPayout;
}

/** The payer moves a payment to another state, and reports it to the site. */
async function becomes(
  payout: StandInPayout,
  state: 'processed' | 'failed' | 'reversed',
  why?: string,
): Promise<void> {
  const { payload, headers } = payer.webhook(payer.move(payout, state, why));
  const path = '/api/payouts/webhook/razorpayx';
  const answer = await fetch(`${program.origin}${path}`, { method: 'POST', headers, body: payload });
  expect(answer.status).toBe(200);
}

const statusOf = async ({ id, send }: Client) =>
  (await send('GET', `/api/user-earnings/withdraw-status/${id}`)).body as unknown as { data: object };

it('a person signs up, verifies, earns, adds a destination, withdraws, is paid, and reads each step', async () => {
  const origin = settings.ORIGIN ?? '';
  const { page, complaints, leave } = await openVisitor(await sharedBrowser(), origin, {
    viewport: { width: 390, height: 844 },
  });
  const main = page.locator('main');
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
  async function fill(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await main.locator(`input[name=${name}]`).fill(value);
  }
  await newOperator('ravi');
  await newOperator('sita');

  const [email, password] = ['asha@people.example', 'a quiet river bend'];
  await visit(page, '/SignupForm');
  await fill({ name: 'Asha Rao', username: 'asha', email, password, cpassword: password });
  await press('Sign up');
  await arrive(page, /\/LoginEmail/);
  await fill({ email, password });
  await press('Login');
  await arrive(page, /\/UserProfile/);
  await visit(page, '/VerifyEmail');
  await press('Send me a link');
  const mailsTo = () => smtp.mails.filter(({ to }) => to.includes(email));
  const linkIn = () =>
    mailsTo().flatMap(({ text }) => text.match(/https?:\S+\/VerifyEmail\S+/) ?? [])[0] ?? '';
  await expect.poll(linkIn).not.toBe('');
  await visit(page, linkIn());
  await press('Verify my email');
  await page.getByText(`${email} is verified.`).waitFor();

  const { token, user } = await page.evaluate(() => ({
    token: localStorage.getItem('authToken') ?? '',
    user: JSON.parse(localStorage.getItem('user') ?? '{}') as Client['user'],
  }));
  const asha = clientAt(program.origin, token, user);
  await itIs('2026-10-05T10:00');
  await earnReleased(db, asha.id, october, 550);
  // Something is counted in October, so that it is closed.
  await db.transaction().execute(async (trx) => void (await holdMonths(trx, [october])));

  // It is held for 72 hours, like any other.
  await itIs('2026-10-10T10:00');
  await visit(page, '/PayoutDestination');
  await page.getByLabel('UPI id', { exact: true }).fill(vpa);
  await page.getByLabel('UPI id again').fill(vpa);
  await press('Save');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=password]').fill(password);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('UPI id as•••@okaxis').waitFor();
  await page.getByText('Nothing is paid before').waitFor();

  await itIs('2026-11-01T00:00:01');
  await visit(page, '/EarningHistory');
  const card = page.getByRole('article', { name: 'October 2026 Earning' });
  await card.getByText('We are counting October. It is ready in a few minutes.').waitFor();
  await itIs('2026-11-01T00:15:01');
  await runNow(db, closingJob.name);
  await expect
    .poll(
      async () => await db.selectFrom('months').select('month').where('counted_at', 'is not', null).execute(),
    )
    .toContainEqual({ month: october });
  await visit(page, '/EarningHistory');
  await card.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByText('₹1.10').waitFor();
  await dialog.getByText('as•••@okaxis').waitFor();
  await dialog.getByRole('button', { name: 'Request withdrawal' }).click();
  await card.getByText('Pending Withdraw').waitFor();
  await card.getByText('In review', { exact: true }).waitFor();
  expect((await statusOf(asha)).data).toEqual({ [october]: 'pending' });

  const steps: [step: Step, values: Record<string, string | null>][] = [['requested', { rupees: '₹1.10' }]];
  const handedOver: typeof steps = [
    ['approved', {}],
    ['sent', { note: 'as•••@okaxis' }],
  ];
  // In `test:long` the payee's bank rejects a first payment, and returns a second one a week later. What these do to the withdrawal is tested
  // in server/features/payers/batches.test.ts.
  if (isWhole) {
    const first = await sendBatch('2026-11-02');
    expect((await statusOf(asha)).data).toEqual({ [october]: 'pending' });
    await becomes(first, 'failed', 'The account is closed');
    const second = await sendBatch('2026-11-03');
    await becomes(second, 'processed');
    expect((await statusOf(asha)).data).toEqual({ [october]: 'completed' });
    await itIs('2026-11-10T10:00');
    await becomes(second, 'reversed', 'The bank sent it back');
    expect((await statusOf(asha)).data).toEqual({ [october]: 'pending' });
    steps.push(...handedOver, ['failed', { note: 'The account is closed' }], ...handedOver);
    steps.push(['completed', { reference: second.utr }], ['returned', { note: 'The bank sent it back' }]);
  }
  const last = await sendBatch('2026-11-11');
  await becomes(last, 'processed');
  expect((await statusOf(asha)).data).toEqual({ [october]: 'completed' });
  steps.push(...handedOver, ['completed', { reference: last.utr }], ['nextCompleted', {}]);
  expect(payer.payouts.size).toBe(isWhole ? 3 : 1);
  for (const { amount } of payer.payouts.values()) expect(amount).toBe(110);

  // Mails about one withdrawal are an hour apart.
  await itIs('2026-11-11T20:00');
  const told = mails.en.acts;
  for (const act of [
    'destination_set',
    'withdrawal_requested',
    'withdrawal_paid',
    ...(isWhole ? (['withdrawal_failed', 'withdrawal_returned'] as const) : []),
  ] as const) {
    const [longest = ''] = told[act].sentence
      .split(/\{\w+\}/)
      .toSorted((one, other) => other.length - one.length);
    await expect
      .poll(
        () =>
          mailsTo()
            .map(({ text }) => text)
            .join(' '),
        { message: act },
      )
      .toContain(longest);
  }
  const linesIn = async (lang: string) => {
    await visit(page, `/EarningHistory?lang=${lang}`);
    const steps = page
      .getByRole('article')
      .filter({ hasText: last.utr ?? '' })
      .locator('ol > li');
    await steps.first().waitFor();
    return (await steps.allTextContents()).map((one) => one.replaceAll(/\s+/g, ' '));
  };
  const languages = [
    ['hi', hindi],
    ['en', english],
  ] as const;
  for (const [lang, words] of someOf(languages, 1)) {
    const lines = await linesIn(lang);
    expect(lines).toHaveLength(steps.length);
    for (const [place, [step, values]] of steps.entries())
      expect(lines[place]).toContain(filled(words[`timeline.${step}`], values));
  }

  expect(smtp.mails.map(({ raw }) => raw).join('')).not.toContain(vpa);
  // The first try is refused, since it needs a confirmation.
  expect(complaints.filter((one) => !one.includes('403'))).toEqual([]);
  await leave();
});

it.runIf(isWhole)(
  'a request by an old app, without a destination and a verified address, is pending, says what it waits for, and is paid once both exist',
  async () => {
    await itIs(noonOf('2026-11-12'));
    const old = await signUpAt(program.origin, 'old.app');
    await earnReleased(db, old.id, october, 600);
    const form = { userId: old.id, month: october, totalRupee: '1.20', userName: 'old.app' };
    const { status, body } = await old.send('POST', '/api/user-earnings/request', form);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ message: 'Withdraw request submitted successfully!' }),
    ]);
    expect((await statusOf(old)).data).toEqual({ [october]: 'pending' });
    const { body: list } = await old.send('GET', `/api/notification/getNotifications/${old.id}`);
    const { data } = list as unknown as { data: { kind: string }[] };
    expect(data.map(({ kind }) => kind)).toContain('destination_needed');
    await expect(command('2026-11-12', 'ravi', 'payouts', 'make')).rejects.toThrow('payouts');

    expect(
      (await old.send('PUT', '/api/payout/destination', { kind: 'upi', vpa: 'old.app@okaxis' })).status,
    ).toBe(200);
    await old.send('POST', '/api/email/send-verification', {});
    const linkIn = () =>
      smtp.mails
        .filter(({ to }) => to.includes(old.user.email))
        .flatMap(({ text }) => text.match(/VerifyEmail#(\S+)/)?.[1] ?? [])[0];
    await expect.poll(linkIn).toBeDefined();
    expect((await old.send('POST', '/api/email/verify', { token: linkIn() })).status).toBe(200);
    expect((await statusOf(old)).data).toEqual({ [october]: 'pending' });
    // The destination is new: payments are held for 72 hours.
    const payout = await sendBatch('2026-11-16');
    await becomes(payout, 'processed');
    expect(payout.amount).toBe(120);
    expect((await statusOf(old)).data).toEqual({ [october]: 'completed' });
  },
);

/** A message with its values, as it is shown. */
function filled(message: string, values: Record<string, string | null | undefined>): string {
  return message.replaceAll(/\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? '');
}
