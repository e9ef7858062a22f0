import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { rotateKeys } from '#server/platform/keyring/keyring.ts';
import { reencrypt } from '#server/platform/keyring/reencryption.ts';
import { figureIn } from '#testing/metric-value.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { startSmtp } from '#testing/servers/smtp.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { composeNotices } from './compose.ts';
import { deleteOldMails, mailParameters } from './outbox.ts';
import type { Transport } from './transport.ts';

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let smtp: typeof mailing.smtp;
let asha: Person;
const start = new Date();
const minute = 60_000;
const at = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const warned: unknown[] = [];
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server, smtp } = mailing);
});
afterAll(() => mailing.close());
beforeEach(async () => {
  server.now.value = start;
  asha = await signUpSomebody(server, 'Asha');
});
afterEach(async () => {
  await server.db.deleteFrom('mails').execute();
  smtp.mails.length = 0;
  smtp.replies.length = 0;
  warned.length = 0;
});

const next = (now = start, by?: Pick<Transport, 'send'>) =>
  mailing.sendOne(now, by, (error) => warned.push(error));
const sendNotice = (act: 'password_changed' | 'google_linked', now: Date, values?: Record<string, string>) =>
  inTransaction(server.db, (trx) =>
    server.context.outbox.sendNotice(trx, asha.id, values ? { act, values } : { act }, now),
  );
const forgot = (email: string, payload: object = {}) =>
  server.inject({ method: 'POST', url: '/api/password/forgot', payload: { email, ...payload } });
const rows = () => server.db.selectFrom('mails').selectAll().orderBy('created_at').orderBy('id').execute();
const verify = ({ id }: Person, language = 'en') =>
  server.db.updateTable('people').set({ email_verified_at: start, language }).where('id', '=', id).execute();
const changePassword = (person: Person) =>
  call(server, {
    method: 'POST',
    url: '/api/profile/password',
    headers: person.headers,
    payload: { password: 'correct horse', newPassword: 'another horse', cpassword: 'another horse' },
  });

describe('a notice about an act', () => {
  it('is sent as text and HTML, by a mail server, when the password was changed', async () => {
    await changePassword(asha);
    expect(await next()).toBe('sent');
    expect(await next()).toBeUndefined();
    expect(smtp.mails).toMatchObject([
      {
        to: [asha.email],
        from: 'no-reply@jhalak.example',
        subject: 'Your Jhalak password was changed',
        autoSubmitted: 'auto-generated',
      },
    ]);
    const [mail] = smtp.mails;
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain('The password of your account was changed.');
      expect(part).toContain(`${mailing.origin}/ForgotPassword`);
    }
    expect(mail?.html).toContain('<html lang="en">');
  });

  it('is in the language of its reader', async () => {
    const payload = { language: 'hi' };
    await call(server, { method: 'POST', url: '/api/profile/language', headers: asha.headers, payload });
    await changePassword(asha);
    await next();
    const [mail] = smtp.mails;
    expect(mail?.subject).toBe('आपका झलक पासवर्ड बदला गया');
    expect(mail?.text).toContain(`${mailing.origin}/ForgotPassword?lang=hi`);
    expect(mail?.html).toContain('<html lang="hi">');
  });

  it('is not sent if the transaction of the act is rolled back', async () => {
    const failing = inTransaction(server.db, async (trx) => {
      await server.context.outbox.sendNotice(trx, asha.id, { act: 'password_changed' }, start);
      throw new Error('cut off');
    });
    await expect(failing).rejects.toThrow('cut off');
    expect(await next()).toBeUndefined();
  });

  it('is bundled with others of the same ten minutes, and none is dropped', async () => {
    await sendNotice('password_changed', start);
    expect(await next(start)).toBe('sent');
    for (let place = 1; place <= 5; place += 1)
      await sendNotice('google_linked', at(place * minute), { email: `g${place}@people.example` });
    expect(await next(at(9 * minute))).toBeUndefined();
    expect(await next(at(10 * minute))).toBe('sent');
    expect(await next(at(60 * minute))).toBeUndefined();
    expect(smtp.mails).toHaveLength(2);
    expect(smtp.mails[1]?.subject).toBe('Changes to your Jhalak account');
    for (let place = 1; place <= 5; place += 1)
      for (const part of [smtp.mails[1]?.text, smtp.mails[1]?.html])
        expect(part).toContain(`The Google account g${place}@people.example was linked`);
    // The next one is sent at once again.
    await sendNotice('password_changed', at(21 * minute));
    expect(await next(at(21 * minute))).toBe('sent');
  });

  it('is stored without readable values in the database', async () => {
    await sendNotice('google_linked', start, { email: 'secret.address@people.example' });
    const [row] = await rows();
    expect(row?.parameters?.length).toBeGreaterThan(20);
    expect(row?.parameters?.includes('secret.address')).toBe(false);
    await next();
    expect((await rows())[0]).toMatchObject({ parameters: null, outcome: 'sent' });
    expect(smtp.mails[0]?.text).toContain('secret.address@people.example');
  });

  it('is sent even if the account is deleted: at once to its verified address, with pending notices', async () => {
    await verify(asha, 'hi');
    await sendNotice('password_changed', start);
    await next();
    await sendNotice('google_linked', at(minute), { email: 'thief@people.example' });
    server.now.value = at(2 * minute);
    await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
    expect(await next(at(2 * minute))).toBe('sent');
    expect(await next(at(60 * minute))).toBeUndefined();
    const mail = smtp.mails[1];
    expect(mail?.to).toEqual([asha.email]);
    expect(mail?.text).toContain('thief@people.example');
    expect(mail?.text).toContain('आपका खाता और उससे प्रकाशित सब कुछ मिटा दिया गया।');
    expect(mail?.text).toContain(`${mailing.origin}/Contact`);
    expect(mail?.text).not.toContain('/ForgotPassword');
  });

  it('of a deleted account can still be read after the keys were rotated', async () => {
    await verify(asha);
    await sendNotice('google_linked', at(minute), { email: 'thief@people.example' });
    await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
    await inTransaction(server.db, (trx) => rotateKeys(trx, join(server.dataDir, 'keys'), () => undefined));
    await server.keyring.refresh();
    expect(await reencrypt(server, [mailParameters])).toEqual({ values: 1, unreadable: [] });
    expect(await next(at(minute))).toBe('sent');
    expect(smtp.mails[0]?.text).toContain('thief@people.example');
  });

  it('is dropped with the account if its address is unverified', async () => {
    await sendNotice('password_changed', start);
    await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
    expect(await rows()).toMatchObject([{ person_id: null, outcome: 'dropped' }]);
    expect(await next(at(60 * minute))).toBeUndefined();
  });

  it('is mailed to an unverified address at most three times an hour, and more often only shown on the site', async () => {
    for (const minutes of [0, 11, 22, 33]) {
      await sendNotice('password_changed', at(minutes * minute));
      // A notice that is bundled into a pending mail is no additional mail.
      await sendNotice('google_linked', at(minutes * minute));
      while (await next(at((minutes + 5) * minute)));
    }
    expect(smtp.mails).toHaveLength(3);
    expect((await rows()).filter(({ is_notice }) => is_notice)).toHaveLength(6);
    await sendNotice('password_changed', at(80 * minute));
    expect(await next(at(80 * minute))).toBe('sent');
  });

  it('to an unverified address is also counted for accounts that are deleted and made again', async () => {
    const { email } = asha;
    for (let round = 0; round < 5; round += 1) {
      await sendNotice('password_changed', start);
      while (await next());
      await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
      asha = await signUpSomebody(server, 'Asha');
      await server.db
        .updateTable('people')
        .set({ email, email_key: email })
        .where('id', '=', asha.id)
        .execute();
    }
    expect(smtp.mails).toHaveLength(3);
  });

  it('contains no markup and no line breaks from values that people choose', () => {
    const values = { email: '"<img src=x>\r\nBcc: x"@people.example' };
    const done = [{ act: 'google_linked' as const, values, at: start }];
    const { html, text } = composeNotices(
      done,
      { language: 'en' },
      { origin: mailing.origin, timeZone: 'Asia/Kolkata' },
    );
    expect(html).not.toContain('<img');
    expect(text).not.toMatch(/^Bcc/m);
  });

  it.each(['\u202Eevil', '\u202Devil', '\u2066evil', '\u2067evil', '\u2068evil', '\u2069evil', 'جھلک'])(
    'isolates the direction of a value such as %j, and keeps the joiners that Hindi needs',
    (turned) => {
      const values = { email: `${turned} क्\u200Dष@people.example` };
      const done = [{ act: 'google_linked' as const, values, at: start }];
      const { html, text, subject } = composeNotices(
        done,
        { language: 'en' },
        { origin: mailing.origin, timeZone: 'Asia/Kolkata' },
      );
      for (const body of [html, text])
        expect(body).toMatch(
          /account \u2068[^\u202A-\u202E]*क्\u200Dष@people\.example\u2069+ was linked to your account/u,
        );
      expect(subject).toBe('A Google account was linked to your Jhalak account');
    },
  );
});

describe('a mail that the mail server rejects', () => {
  it('is retried with growing pauses, always with the same Message-ID', async () => {
    await changePassword(asha);
    smtp.replies.push({ at: 'DATA', code: 451, takesIt: true }, { at: 'RCPT', code: 450 });
    expect(await next(start)).toBe('failed');
    expect(await next(at(5_000))).toBeUndefined();
    expect(await next(at(10_000))).toBe('failed');
    expect(await next(at(29_000))).toBeUndefined();
    expect(await next(at(30_000))).toBe('sent');
    expect(warned).toHaveLength(2);
    // The server had accepted the first one, but answered with an error.
    expect(smtp.mails).toHaveLength(2);
    expect(smtp.mails[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@jhalak\.example>$/);
    expect(smtp.mails[1]?.messageId).toBe(smtp.mails[0]?.messageId);
  });

  it('is given up if there is no such mailbox, but not if the sender is refused', async () => {
    await changePassword(asha);
    smtp.replies.push({ at: 'RCPT', code: 550 });
    expect(await next()).toBe('given_up');
    await sendNotice('password_changed', at(11 * minute));
    smtp.replies.push({ at: 'DATA', code: 554 });
    expect(await next(at(11 * minute))).toBe('failed');
  });

  it.each([
    { code: 550, says: '5.1.1 No such user', outcome: 'given_up' },
    { code: 550, says: '5.2.1 Mailbox disabled', outcome: 'given_up' },
    // If it were given up, a relay that refuses the sender would lose every notice at the first try.
    { code: 554, says: '5.7.1 Relay access denied', outcome: 'failed' },
    { code: 550, says: '5.7.1 Blocked by a list', outcome: 'failed' },
    { code: 552, says: '5.2.2 Mailbox full', outcome: 'failed' },
    { code: 554, says: 'Transaction failed', outcome: 'failed' },
  ])('is $outcome if the recipient is refused by $code $says', async ({ outcome, ...reply }) => {
    await changePassword(asha);
    smtp.replies.push({ at: 'RCPT', ...reply });
    expect(await next()).toBe(outcome);
  });

  it('is sent without its values if their key is lost', async () => {
    await sendNotice('google_linked', start, { email: 'thief@people.example' });
    await server.db
      .updateTable('mails')
      .set({ parameters: Buffer.concat([Buffer.from([0, 0, 0, 99]), Buffer.alloc(40)]) })
      .execute();
    expect(await next()).toBe('sent');
    expect(smtp.mails[0]?.text).toContain('The Google account unknown was linked');
  });

  it('is retried for a week if it is a notice, and for an hour if it was requested', async () => {
    await sendNotice('password_changed', start);
    await forgot(asha.email);
    const nobody = { send: () => Promise.reject(new Error('no mail server')) };
    expect(
      [await next(at(6 * 24 * 60 * minute), nobody), await next(at(6 * 24 * 60 * minute), nobody)].sort(),
    ).toEqual(['failed', 'given_up']);
    expect(await next(at(8 * 24 * 60 * minute), nobody)).toBe('given_up');
  });

  it('is retried by another process, with the same acts, if the first died after sending and before storing that', async () => {
    await sendNotice('password_changed', start);
    // The process dies after the mail server has accepted the mail.
    const dying = {
      async send(mail: Parameters<Transport['send']>[0]) {
        await mailing.transport.send(mail);
        await new Promise(() => undefined);
      },
    };
    void next(start, dying);
    await expect.poll(() => smtp.mails.length).toBe(1);
    await sendNotice('google_linked', at(minute), { email: 'later@people.example' });
    expect(await next(at(2 * minute))).toBeUndefined();
    expect(await next(at(4 * minute))).toBe('sent');
    expect(smtp.mails.map(({ messageId, subject }) => [messageId, subject])).toEqual(
      Array(2).fill([smtp.mails[0]?.messageId, 'Your Jhalak password was changed']),
    );
    expect(await next(at(11 * minute))).toBe('sent');
    expect(smtp.mails[2]?.text).toContain('later@people.example');
  });

  it('is sent once if many processes run', async () => {
    for (let place = 0; place < 6; place += 1)
      await forgot((await signUpSomebody(server, `Person ${place}`)).email);
    await Promise.all(Array.from({ length: 20 }, () => next()));
    expect(smtp.mails).toHaveLength(6);
    expect(new Set(smtp.mails.flatMap(({ to }) => to)).size).toBe(6);
  });
});

describe('mails that anybody can trigger', () => {
  it('are limited to three an hour for one address, however it is spelled, and the response stays the same', async () => {
    for (const email of [asha.email, asha.email.toUpperCase(), asha.email, asha.email, asha.email])
      expect((await forgot(email)).json()).toEqual({ status: 'ok' });
    expect(await rows()).toHaveLength(3);
    server.now.value = at(61 * minute);
    await forgot(asha.email);
    expect(await rows()).toHaveLength(4);
  });

  it('are also limited to three if many are requested at once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => forgot(asha.email)));
    expect(await rows()).toHaveLength(3);
  });

  it('are also counted for accounts that are deleted', async () => {
    const change = (person: Person) =>
      server.inject({
        method: 'POST',
        url: '/api/email/change',
        headers: person.headers,
        payload: { email: 'victim@people.example' },
      });
    for (let place = 0; place < 3; place += 1) expect((await change(asha)).statusCode).toBe(200);
    await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
    expect((await change(await signUpSomebody(server))).json().code).toBe('too_many_requests');
    expect(await next()).toBeUndefined();
  });

  it('do not use up the limit for codes that confirm an act of a signed-in person', async () => {
    await verify(asha);
    for (let place = 0; place < 3; place += 1) await forgot(asha.email);
    const act = { act: 'export', params: {} };
    const code = await server.inject({
      method: 'POST',
      url: '/api/confirm/send-code',
      headers: asha.headers,
      payload: act,
    });
    expect(code.statusCode).toBe(200);
  });

  it('do not use up the limit for notices', async () => {
    await verify(asha);
    for (let place = 0; place < 5; place += 1) await forgot(asha.email);
    await changePassword(asha);
    expect((await rows()).filter(({ is_notice }) => is_notice)).toHaveLength(1);
  });

  it('are deleted a day after they were sent', async () => {
    await forgot(asha.email);
    await next();
    const clean = (now: Date) => deleteOldMails({ db: server.db, clock: () => now });
    await clean(at(23 * 60 * minute));
    expect(await rows()).toHaveLength(1);
    await clean(at(25 * 60 * minute));
    expect(await rows()).toEqual([]);
  });
});

it('a running process sends mails, authenticates to the mail server, and its metrics show pending mails', async () => {
  const guarded = await startSmtp({ user: 'jhalak', password: 'p%40ss' });
  const url = guarded.url.replace('p%40ss', 'p%2540ss');
  const worker = await startTestServer({
    SMTP_URL: url,
    ORIGIN: mailing.origin,
    MAIL_FROM: 'hello@jhalak.example',
  });
  try {
    const ravi = await signUpSomebody(worker, 'Ravi');
    guarded.replies.push({ at: 'RCPT', code: 450 });
    await worker.inject({ method: 'POST', url: '/api/password/forgot', payload: { email: ravi.email } });
    await expect
      .poll(async () => figureIn(await worker.metrics.text(), 'jhalak_mails_total', { outcome: 'failed' }))
      .toBe(1);
    await expect.poll(async () => figureIn(await worker.metrics.text(), 'jhalak_mails_waiting')).toBe(1);
    await worker.db
      .updateTable('mails')
      .set({ next_try_at: new Date(0) })
      .execute();
    await expect
      .poll(() => guarded.mails.map(({ from, to }) => [from, ...to]))
      .toEqual([['hello@jhalak.example', ravi.email]]);
  } finally {
    await worker.close();
    await guarded.close();
  }
});
