import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { freePort } from '#server/platform/database/embedded.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedBrowser } from '#testing/browser/browser.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { startSmtp } from '#testing/servers/smtp.ts';
import { seedOr, someOf } from '#testing/share.ts';

// Each test in one of the two languages; in both in `test:long`.

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
    ORIGIN: `http://localhost:${port}`,
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

describe.each(
  someOf(
    [
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
    ],
    1,
    seedOr(3),
  ),
)('a person who forgot the password, in the language $lang', (words) => {
  it('sets a new one by the link of a mail, which works once', async () => {
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
    // The second mail says what was done.
    await expect.poll(() => mine().map(({ subject }) => subject)).toContain(words.subject);
    await leave();
  });
});

it.each(
  someOf(
    [
      {
        lang: 'en',
        name: 'mover',
        label: 'New email',
        send: 'Send a link to it',
        sent: 'is on its way to it',
        isItYou: 'Is it you?',
        mail: 'Send me a code by mail',
        code: 'Code from the mail',
        use: 'Confirm with the code',
        wrong: 'This code is wrong, too old or was used already.',
        confirm: 'Verify my email',
        done: 'is verified.',
        told: 'The address of your Jhalak account was changed',
        save: 'Save new password',
      },
      {
        lang: 'hi',
        name: 'yatri',
        label: 'नया ईमेल',
        send: 'उस पर लिंक भेजें',
        sent: 'लिंक वाला मेल वहाँ',
        isItYou: 'क्या यह आप हैं?',
        mail: 'मुझे मेल से कोड भेजें',
        code: 'मेल का कोड',
        use: 'कोड से पुष्टि करें',
        wrong: 'यह कोड ग़लत है, पुराना है या पहले इस्तेमाल हो चुका है।',
        confirm: 'मेरा ईमेल सत्यापित करें',
        done: 'सत्यापित है।',
        told: 'आपके झलक खाते का पता बदला गया',
        save: 'नया पासवर्ड सेव करें',
      },
    ],
    1,
    seedOr(3),
  ),
)(
  'an address is changed on /Settings with a confirmation by a mailed code, and changed back by a mail to the old one, in the language $lang [long]',
  async (words) => {
    const person = await signUpAt(program.origin, words.name);
    await person.send('POST', '/api/profile/language', { language: words.lang });
    const [old, next] = [`${words.name}@people.example`, `${words.name}.next@people.example`];
    const db = await openDatabase(database.url, 1);
    await db
      .updateTable('people')
      .set({ email_verified_at: new Date() })
      .where('id', '=', person.id)
      .execute();
    // This session is too old to confirm anything by itself.
    const hourAgo = new Date(Date.now() - 60 * 60 * 1000);
    await db
      .updateTable('sessions')
      .set({ created_at: hourAgo })
      .where('person_id', '=', person.id)
      .execute();
    await db.destroy();
    const { page, leave } = await openVisitor(await sharedBrowser(), program.origin, { person });
    await visit(page, `/Settings?lang=${words.lang}`);
    await page.getByLabel(words.label).fill(next);
    await page.getByRole('button', { name: words.send }).click();
    const dialog = page.getByRole('dialog', { name: words.isItYou });
    await dialog.getByRole('button', { name: words.mail }).click();
    await dialog.getByLabel(words.code).waitFor();
    const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
    await expect.poll(() => mailsTo(old).length).toBe(1);
    const code = /^\d{6}$/m.exec(mailsTo(old)[0]?.text ?? '')?.[0] ?? '';
    await dialog.getByLabel(words.code).fill(code === '000000' ? '000001' : '000000');
    await dialog.getByRole('button', { name: words.use }).click();
    await dialog.getByText(words.wrong).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByLabel(words.code).fill(code);
    await dialog.getByRole('button', { name: words.use }).click();
    await page.getByText(words.sent).waitFor();
    await expect.poll(() => mailsTo(next).length).toBe(1);
    await visit(page, '/About');
    await visit(page, /https?:\S+\/VerifyEmail\S+/.exec(mailsTo(next)[0]?.text ?? '')?.[0] ?? '');
    await page.getByRole('button', { name: words.confirm }).click();
    await page.getByText(`${next} ${words.done}`).waitFor();
    await leave();

    // The owner has only the old address, and recovers the account in a browser that is not logged in.
    const notice = () => mailsTo(old).find(({ subject }) => subject === words.told);
    await expect.poll(notice).toBeDefined();
    const owner = await openVisitor(await sharedBrowser(), program.origin);
    await visit(owner.page, linkIn(notice()?.text ?? ''));
    await owner.page.locator('input[name=password]').fill('a password to return with');
    await owner.page.locator('input[name=cpassword]').fill('a password to return with');
    await owner.page.locator('main').getByRole('button', { name: words.save }).click();
    await arrive(owner.page, /\/LoginEmail/);
    await owner.leave();
    expect(await signIn(old, 'a password to return with')).toBe(200);
    expect(await signIn(next, 'a password to return with')).toBe(401);
  },
);

it('a link opened in a browser that is not logged in verifies the address after the login [long]', async () => {
  const person = await signUpAt(program.origin, 'latecomer');
  await person.send('POST', '/api/email/send-verification');
  const mine = () => smtp.mails.filter(({ to }) => to.includes('latecomer@people.example'));
  await expect.poll(() => mine().length).toBe(1);
  const { page, leave } = await openVisitor(await sharedBrowser(), program.origin);
  await visit(page, /https?:\S+\/VerifyEmail\S+/.exec(mine()[0]?.text ?? '')?.[0] ?? '');
  await page.getByText('Log in with your password to verify your email.').waitFor();
  expect(await page.getByRole('button', { name: 'Verify my email' }).count()).toBe(0);
  await page.locator('main').getByRole('link', { name: 'Login', exact: true }).click();
  await arrive(page, '/LoginGoogle');
  await page.getByRole('link', { name: 'Continue with email' }).click();
  await arrive(page, '/LoginEmail');
  await page.locator('input[name=email]').fill('latecomer@people.example');
  await page.locator('input[name=password]').fill('a long password');
  await page.locator('main').getByRole('button', { name: 'Login' }).click();
  await page.getByRole('link', { name: 'Back to where you were' }).click();
  await page.getByRole('button', { name: 'Verify my email' }).click();
  await page.getByText('is verified.').waitFor();
  await leave();
});

it('mails use the language that the person switched to [long]', async () => {
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
