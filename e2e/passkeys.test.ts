import { describe, expect, it } from 'vitest';
import { giveAuthenticator } from '#testing/browser/authenticator.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { anotherRecoveryCode, makeOperator } from '#testing/servers/operators.ts';
import { seedOr, someOf } from '#testing/share.ts';

const site = sharedSite();

const languages = [
  {
    lang: 'en',
    words: {
      logInBy: 'Log in with a passkey',
      notUsed: 'No passkey was used. Please try again.',
      refused: 'This passkey was not accepted. Please try again.',
      part: 'Passkeys',
      name: 'Name of a new passkey',
      add: 'Add a passkey',
      added: 'The passkey is added.',
      rename: 'Rename Phone',
      newName: 'New name',
      save: 'Save name',
      unused: 'not used yet',
      used: 'last used on',
      confirm: 'Confirm with a passkey',
      isIt: 'Is it you?',
      remove: 'Remove My phone',
      removeNow: 'Remove',
      removed: 'The passkey is removed.',
      told: ['A passkey was added to your account', 'A passkey was removed from your account'],
    },
  },
  {
    lang: 'hi',
    words: {
      logInBy: 'पासकी से लॉग इन करें',
      notUsed: 'किसी पासकी का इस्तेमाल नहीं हुआ। कृपया फिर कोशिश करें।',
      refused: 'यह पासकी स्वीकार नहीं हुई। कृपया फिर कोशिश करें।',
      part: 'पासकी',
      name: 'नई पासकी का नाम',
      add: 'पासकी जोड़ें',
      added: 'पासकी जुड़ गई।',
      rename: 'Phone का नाम बदलें',
      newName: 'नया नाम',
      save: 'नाम सहेजें',
      unused: 'अब तक इस्तेमाल नहीं हुई',
      used: 'को इस्तेमाल हुई',
      confirm: 'पासकी से पुष्टि करें',
      isIt: 'क्या यह आप हैं?',
      remove: 'My phone को हटाएँ',
      removeNow: 'हटाएँ',
      removed: 'पासकी हटा दी गई।',
      told: ['आपके खाते में एक पासकी जोड़ी गई', 'आपके खाते से एक पासकी हटाई गई'],
    },
  },
];

describe.each(someOf(languages, 1, seedOr(3)))('passkeys in the language $lang', ({ lang, words }) => {
  it('are added on /Settings, log in, confirm an action and are removed; the person is notified', async () => {
    // Passkeys belong to host names, not to IP addresses.
    const origin = site.origin.replace('127.0.0.1', 'localhost');
    const asha = await signUpAt(site.origin, `passkeys.${lang}`);
    const { page, complaints, leave } = await openVisitor(site.browser, origin, { locale: lang });
    const device = await giveAuthenticator(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const part = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: words.part, exact: true }) });
    const ageSessions = () =>
      site.db
        .updateTable('sessions')
        .set({ created_at: new Date(Date.now() - 60 * 60 * 1000) })
        .where('person_id', '=', asha.id)
        .execute();

    await page.goto('/robots.txt');
    await page.evaluate(
      ([user = '', token = '']) => {
        localStorage.setItem('user', user);
        localStorage.setItem('authToken', token);
      },
      [JSON.stringify(asha.user), asha.token],
    );
    await visit(page, `/Settings?lang=${lang}`);
    await part.getByLabel(words.name).fill('Phone');
    await device.verify(false);
    await button(words.add).click();
    await part.getByText(words.notUsed).waitFor();
    await device.verify(true);
    await button(words.add).click();
    await page.getByText(words.added).waitFor();
    await part.getByText(words.unused).waitFor();
    await button(words.rename).click();
    await part.getByLabel(words.newName).fill('My phone');
    await button(words.save).click();
    await part.getByText('My phone', { exact: true }).waitFor();

    await page.evaluate(() => localStorage.clear());
    await visit(page, '/LoginGoogle');
    await button(words.logInBy).click();
    await arrive(page, '/UserProfile');
    await visit(page, '/Settings');
    await part.getByText(words.used).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await ageSessions();
    const dialog = page.getByRole('dialog', { name: words.isIt });
    await button(words.remove).click();
    await page.getByRole('dialog').getByRole('button', { name: words.removeNow, exact: true }).click();
    await dialog.getByRole('button', { name: words.confirm }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: words.confirm }).click();
    await page.getByText(words.removed).waitFor();
    await part.getByText('My phone', { exact: true }).waitFor({ state: 'detached' });
    await visit(page, '/Activity');
    for (const told of words.told) await page.getByText(told).waitFor();

    await page.evaluate(() => localStorage.clear());
    await visit(page, '/LoginEmail');
    await button(words.logInBy).click();
    await page.getByText(words.refused).first().waitFor();
    expect(complaints.filter((one) => !one.includes('403'))).toEqual([]);
    await leave();
  });
});

it('an operator adds a passkey in an old session by a code of the authenticator app, not by the password [long]', async () => {
  const origin = site.origin.replace('127.0.0.1', 'localhost');
  const uma = await signUpAt(site.origin, 'passkeys.operator');
  const id = uma.user._id;
  await makeOperator(site, id);
  await site.db
    .insertInto('second_factors')
    .values({ person_id: id, secret: Buffer.of(1) })
    .execute();
  const code = await anotherRecoveryCode(site, id);
  await site.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 60 * 60 * 1000) })
    .where('person_id', '=', id)
    .execute();
  const person = { token: uma.token, user: uma.user };
  const { page, leave } = await openVisitor(site.browser, origin, { person });
  await giveAuthenticator(page);
  await visit(page, '/Settings');
  const part = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Passkeys', exact: true }) });
  await part.getByLabel('Name of a new passkey').fill('Phone');
  await part.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Code of the app, or a recovery code').fill(code);
  expect(await dialog.getByLabel('Password').count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('The passkey is added.').waitFor();
  await leave();
});
