import { beforeAll, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { keyringOfTests } from '#testing/context.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { failedReel } from '#testing/fixtures/reels.ts';
import { makeOperator } from '#testing/servers/operators.ts';

const site = sharedSite();
let operator: Client;
let author: Client;
const captions = ['The stolen boats', 'The harmless boats'];
beforeAll(async () => {
  author = await signUpAt(site.origin, 'console.author');
  operator = await signUpAt(site.origin, 'console.ravi');
  await makeOperator(site, operator.id);
  for (const [place, caption] of captions.entries()) {
    const id = await publishPicture(site.db, site.data, author.id, caption, new Date(), `#31${place}15a`);
    await operator.send('POST', '/api/report', { kind: 'post', id, reason: 'intimate' });
  }
  await failedReel(site.db, author.id);
  await requestedWithdrawal({ db: site.db, keyring: keyringOfTests }, author.id, '2025-01');
});

it('an operator decides two reports by keyboard alone, reads the second and the log on a phone in Hindi, and axe finds nothing', async () => {
  const { page, complaints, leave } = await site.open({
    person: operator,
    viewport: { width: 1280, height: 900 },
  });
  const answer = await page.request.get('/Console');
  expect(answer.headers()['cache-control']).toBe('no-store');
  expect(await answer.text()).toContain('<meta name="robots" content="noindex"/>');

  await visit(page, '/Console');
  await page.getByRole('link', { name: /to decide/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await visit(page, '/Console?part=reports&kind=post');
  const row = (caption: string) => page.getByRole('link', { name: caption });
  await row('The stolen boats').focus();
  await page.keyboard.press('Enter');
  await page.getByAltText('The reported picture, blurred').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('u');
  await page.getByAltText('The reported picture', { exact: true }).waitFor();
  await page.keyboard.press('t');
  const dialog = page.getByRole('dialog', { name: 'Take down' });
  await dialog.getByLabel('The broken rule').selectOption('Privacy');
  await dialog.getByText('Private data of others').waitFor();
  await dialog.getByLabel('Reason, which its owner reads').fill('A passport');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => row('The stolen boats').count()).toBe(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, '/Console?part=reports&kind=post&lang=hi');
  await page.evaluate(() => document.body.classList.replace('light', 'dark'));
  // The parts are one row, so that the list begins in the upper quarter of a phone.
  const part = await page.getByRole('region', { name: 'शिकायतें' }).boundingBox();
  expect(part?.y).toBeLessThan(211);
  expect(part?.width).toBeLessThan(390);
  await row('The harmless boats').click();
  await page.getByRole('button', { name: 'कुछ करने की ज़रूरत नहीं' }).waitFor();
  await expect.poll(() => row('The harmless boats').isVisible()).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('d');
  await page.getByLabel('कारण, जो केवल ऑपरेटर पढ़ते हैं').fill('कोई नियम नहीं टूटा');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => row('The harmless boats').count()).toBe(0);

  await visit(page, '/Console?part=withdrawals&lang=hi');
  await page.getByRole('link', { name: /₹1\.00/ }).click();
  await page.getByRole('button', { name: 'बैच में डालें' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: '@console.author' }).first().click();
  await page.getByRole('button', { name: 'नए पासवर्ड का लिंक बनाएँ' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  for (const act of ['निलंबित करें', 'भूमिका बदलें']) {
    await page.getByRole('button', { name: act }).click();
    await page.getByRole('dialog', { name: act }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }

  await visit(page, '/Console?part=media&lang=hi');
  await page.getByRole('link', { name: 'Too early' }).click();
  await page.getByRole('button', { name: 'फिर से तैयार करें' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await visit(page, '/Console?part=log&act=report.close&lang=hi');
  await page.getByRole('link', { name: 'कोई नियम नहीं टूटा' }).click();
  await page.getByRole('link', { name: 'इसी चीज़ पर सारे काम' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  const { body } = await operator.send('GET', '/api/operator/log?limit=4');
  expect((body.data as unknown as { act: string }[]).map(({ act }) => act)).toEqual([
    'report.close',
    'report.take-up',
    'content.take-down',
    'report.take-up',
  ]);
  expect(complaints).toEqual([]);
  await leave();
});

it.each([
  [
    'moderator',
    ['Today', 'Reports', 'Copies', 'For two', 'People', 'Media', 'Log'],
    '?part=reports',
    'Reports',
  ],
  [
    'payer',
    ['Today', 'For two', 'Withdrawals', 'Batches', 'Ledger', 'Audit', 'People', 'Log'],
    '?part=withdrawals',
    'Withdrawals',
  ],
] as const)('a %s has the parts of that role, and no other', async (role, parts, search, part) => {
  const person = await signUpAt(site.origin, `console.${role}`);
  await makeOperator(site, person.id, undefined, role);
  const { page, leave } = await site.open({ person, viewport: { width: 1280, height: 900 } });
  await visit(page, `/Console${search}`);
  const links = page.getByRole('navigation', { name: 'Parts of the console' }).getByRole('link');
  await links.filter({ hasText: part }).waitFor();
  expect(await links.allTextContents()).toEqual(parts);
  await page.getByRole('region', { name: part }).waitFor();
  await leave();
});

it('an operator merges two of three cases, and decides what remains at once after a preview', async () => {
  const { page, complaints, leave } = await site.open({
    person: operator,
    viewport: { width: 1280, height: 900 },
  });
  const numbers: string[] = [];
  for (const place of [1, 2, 3]) {
    const caption = `আমাদের গ্রামের পুরনো বাংলা গান ${place}`;
    const id = await publishPicture(site.db, site.data, author.id, caption, new Date(), `#91${place}15a`);
    const { body } = await operator.send('POST', '/api/report', { kind: 'post', id, reason: 'hate' });
    numbers.push(String(body.number));
  }
  // Other tests have no words in Bengali.
  await visit(page, '/Console?part=reports&kind=post&language=other');
  await page
    .getByLabel('Language')
    .getByText(/ \(3\)$/)
    .waitFor({ state: 'attached' });
  const boxes = page.getByRole('checkbox', { name: 'Choose this case' });
  await boxes.nth(0).click();
  await boxes.nth(1).click({ modifiers: ['Shift'] });
  await page.getByText('2 cases are chosen').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Merge' }).click();
  await page.getByLabel('Reason, which only operators read').fill('One matter');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => boxes.count()).toBe(2);

  await page.getByRole('checkbox', { name: 'Choose all on this page' }).click();
  await page.getByRole('button', { name: 'Nothing to do' }).click();
  await page.getByLabel('Reason, which only operators read').fill('No rule is broken');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 of 2 cases would be decided:').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Reason, which only operators read').press('Control+Enter');
  await page.getByRole('button', { name: 'Close 2 cases' }).click();
  await page.getByText('2 of 2 were decided.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Nothing waits here.').waitFor();
  for (const number of numbers) {
    const { body } = await operator.send('GET', `/api/report/${number}`);
    expect(body.data).toEqual({ state: 'decided', outcome: 'none' });
  }

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

it('whose work was taken down reads the rule on a phone, and appeals once', async () => {
  const { page, complaints, leave } = await site.open({
    person: author,
    viewport: { width: 390, height: 844 },
  });
  await visit(page, '/Activity');
  await page.getByRole('link', { name: /was taken down: read why/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Your photo was taken down' }).waitFor();
  await page.getByText('Private data of others').waitFor();
  await page.getByText('A passport', { exact: true }).waitFor();
  expect(await page.locator('main').innerText()).not.toContain('console.ravi');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Why is it wrong?').fill('It is my own passport.');
  await page.getByRole('button', { name: 'Send the appeal' }).click();
  await page.getByText('Your appeal was sent.').waitFor();
  await visit(page, new URL(page.url()).pathname);
  await page.getByText('Your appeal was sent.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const { body } = await operator.send('GET', '/api/operator/reports?kind=appeal');
  expect(body.data).toMatchObject([{ owner: 'console.author', words: 'The stolen boats' }]);
  expect(complaints).toEqual([]);
  await leave();

  const judge = await site.open({ person: operator, viewport: { width: 1280, height: 800 } });
  await visit(judge.page, '/Console?part=reports&kind=appeal');
  await judge.page.getByRole('link', { name: 'The stolen boats' }).click();
  const picture = judge.page.getByAltText('The reported picture, blurred');
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await judge.page.getByText('Private data of others').waitFor();
  await judge.page.getByText('A passport', { exact: true }).first().waitFor();
  expect(await violationsOf(judge.page)).toEqual([]);
  expect(judge.complaints).toEqual([]);
  await judge.leave();
});
