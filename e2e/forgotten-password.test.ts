import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { freePort } from '#server/platform/database/embedded.ts';
import { sharedBrowser } from '#testing/browser/browser.ts';
import { openVisitor, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { startSmtp } from '#testing/servers/smtp.ts';

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let program: Program;
beforeAll(async () => {
  [smtp, data, database] = await Promise.all([startSmtp(), dataFolder(), freshDatabase()]);
  const port = await freePort();
  program = await startProgram({
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    PORT: String(port),
    ORIGIN: `http://127.0.0.1:${port}`,
    SMTP_URL: smtp.url,
  });
});
afterAll(async () => {
  await program?.stop();
  await smtp?.close();
  await database?.drop();
  await data?.remove();
});

const linkIn = (text: string) => /https?:\S+\/ResetPassword\S+/.exec(text)?.[0] ?? '';
const signIn = async (email: string, password: string) =>
  (
    await fetch(`${program.origin}/api/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
  ).status;

describe.each([
  {
    lang: 'en',
    person: 'forgetful',
    forgot: 'Forgot your password?',
    send: 'Send the link',
    sent: 'If there is an account with',
    save: 'Save new password',
    saved: 'Your new password is saved. Please log in with it.',
    over: 'This link was used already or is too old.',
    subject: 'Your Jhalak password was replaced',
  },
  {
    lang: 'hi',
    person: 'bhulakkad',
    forgot: 'पासवर्ड भूल गए?',
    send: 'लिंक भेजें',
    sent: 'से कोई खाता है',
    save: 'नया पासवर्ड सेव करें',
    saved: 'नया पासवर्ड सेव हो गया। कृपया उससे लॉग इन करें।',
    over: 'यह लिंक इस्तेमाल हो चुका है',
    subject: 'आपका झलक पासवर्ड नया रखा गया',
  },
])('somebody who forgot the password, in the language $lang', (words) => {
  it('comes back by the link of a mail, which works once', async () => {
    const person = await signUpAt(program.origin, words.person);
    await person.send('POST', '/api/profile/language', { language: words.lang });
    const email = `${words.person}@people.example`;
    const { page, leave } = await openVisitor(await sharedBrowser(), program.origin);
    await visit(page, `/LoginEmail?lang=${words.lang}`);
    await page.getByRole('link', { name: words.forgot }).click();
    await page.waitForURL(/ForgotPassword/);
    await page.getByRole('button', { name: words.send }).waitFor();
    await page.locator('main input[type=email]').fill(email);
    await page.locator('main').getByRole('button', { name: words.send }).click();
    await page.getByText(words.sent).waitFor();
    const mine = () => smtp.mails.filter(({ to }) => to.includes(email));
    await expect.poll(() => mine().length).toBe(1);
    const link = linkIn(mine()[0]?.text ?? '');
    expect(link).toContain(words.lang === 'hi' ? '?lang=hi#' : '/ResetPassword#');

    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await visit(page, link);
    const fill = async (password: string) => {
      await page.locator('input[name=password]').fill(password);
      await page.locator('input[name=cpassword]').fill(password);
      await page.locator('main').getByRole('button', { name: words.save }).click();
    };
    await fill('a password to remember');
    await page.getByText(words.saved).waitFor();
    await page.waitForURL(/\/LoginEmail/);
    const secret = link.split('#')[1] ?? '';
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((url) => url.includes(secret) && !url.includes('#'))).toEqual([]);
    expect(await signIn(email, 'a password to remember')).toBe(200);
    expect(await signIn(email, 'a long password')).toBe(401);

    await visit(page, link);
    await fill('somebody else’s');
    await page.getByText(words.over).waitFor();
    // The second mail tells what was done.
    await expect.poll(() => mine().map(({ subject }) => subject)).toContain(words.subject);
    await leave();
  });
});

it('the language that somebody switches to is that of their mails', async () => {
  const person = await signUpAt(program.origin, 'switcher');
  const { page, leave } = await openVisitor(await sharedBrowser(), program.origin, { person });
  await visit(page, '/About');
  await page.getByRole('link', { name: 'हिन्दी' }).first().click();
  const db = await openDatabase(database.url, 1);
  const language = async () =>
    (await db.selectFrom('people').select('language').where('id', '=', person.id).executeTakeFirstOrThrow())
      .language;
  await expect.poll(language).toBe('hi');
  await db.destroy();
  await leave();
});

it('a page for a new password that is opened without its link says so', async () => {
  const { page, leave } = await openVisitor(await sharedBrowser(), program.origin);
  await visit(page, '/ResetPassword');
  await page.locator('input[name=password]').fill('a password');
  await page.locator('main').getByRole('button', { name: 'Save new password' }).click();
  await page.getByText('Please open this page by the link in your mail.').waitFor();
  await leave();
});
