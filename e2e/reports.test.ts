import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { publishPicture, publishStatus } from '#testing/fixtures/posts.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';

const site = sharedSite();
let author: Client;
let photo: string;
beforeAll(async () => {
  author = await signUpAt(site.origin, 'reported.tara');
  photo = await publishPicture(site.db, site.data, author.id, 'A stolen photo', new Date(), '#31415a');
});

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Report', exact: true });
const openReport = (page: Page) => page.getByRole('button', { name: 'Report', exact: true }).first().click();
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Send report' }).click();
const reportsOf = (target: string) =>
  site.db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'case_id')
    .selectAll('reports')
    .select(['kind', 'closed_at'])
    .where('target_id', '=', target)
    .orderBy('reports.id')
    .execute();
/** The number that the dialog shows in the end. */
async function numberIn(page: Page): Promise<string> {
  await dialog(page).getByText('Thank you. We have your report.').waitFor();
  const link = dialog(page).getByRole('link', { name: 'Follow your report' });
  const [, number = ''] = /^\/report\/([\da-f]{32})$/.exec((await link.getAttribute('href')) ?? '') ?? [];
  await dialog(page).getByText(number, { exact: true }).waitFor();
  return number;
}

describe('reporting (decisions §3)', () => {
  it('needs no login: a reason, words and a way to answer lead to a number, which says how far the report is', async () => {
    const { page, complaints, leave } = await site.open({ viewport: { width: 390, height: 844 } });
    await visit(page, `/post/${photo}`);
    await openReport(page);
    await dialog(page).getByText('Tell us what is wrong with this photo.').waitFor();
    await send(page);
    await dialog(page).getByText('Please choose what is wrong.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog(page).getByLabel("Somebody else's work").check();
    await dialog(page).getByLabel('Tell us more').fill('I took it in Munnar.');
    await dialog(page).getByLabel('How can we answer you?').fill('meera@people.example');
    await send(page);
    const number = await numberIn(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(await reportsOf(photo)).toMatchObject([
      {
        number,
        reporter_id: null,
        kind: 'post',
        reason: 'copied',
        text: 'I took it in Munnar.',
        contact: 'meera@people.example',
      },
    ]);

    await dialog(page).getByRole('link', { name: 'Follow your report' }).click();
    await arrive(page, `/report/${number}`);
    const now = page.locator('[aria-current=step]');
    await now.getByRole('heading', { name: 'Received' }).waitFor();
    const set = (values: object) =>
      site.db
        .updateTable('cases')
        .set(values)
        .where('id', '=', (is) => is.selectFrom('reports').select('case_id').where('number', '=', number))
        .execute();
    await set({ taken_up_at: new Date() });
    await visit(page, `/report/${number}`);
    await now.getByRole('heading', { name: 'In work' }).waitFor();
    await set({ closed_at: new Date(), closed_by: 'ravi' });
    await visit(page, `/report/${number}?lang=hi`);
    await now.getByRole('heading', { name: 'फ़ैसला हो गया' }).waitFor();
    const said = await page.locator('main').innerText();
    for (const secret of ['Munnar', 'meera', 'reported.tara', photo]) expect(said).not.toContain(secret);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('by keyboard alone chooses a reason by arrows, which do not move the photo behind, and returns the focus [long]', async () => {
    await publishPicture(
      site.db,
      site.data,
      author.id,
      'An older photo',
      new Date(Date.now() - 60_000),
      '#5a3141',
    );
    const { page, complaints, leave } = await site.open();
    await visit(page, `/post/${photo}`);
    const button = page.getByRole('button', { name: 'Report', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    const first = dialog(page).getByRole('radio').first();
    await first.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => first.isChecked()).toBe(true);
    expect(new URL(page.url()).pathname).toBe(`/post/${photo}`);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(new URL(page.url()).pathname).toBe(`/post/${photo}`);
    // What was chosen is still there, and Enter sends it.
    await page.keyboard.press('Enter');
    await expect.poll(() => first.isChecked()).toBe(true);
    await dialog(page).getByLabel('How can we answer you?').focus();
    await page.keyboard.press('Enter');
    await numberIn(page);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('dialog') !== null))
      .toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('of a reel pauses it, asks a signed-in person for no address, and answers the same number again [long]', async () => {
    const fan = await signUpAt(site.origin, 'reports.kabir');
    const { page, complaints, leave } = await site.open({ person: fan });
    await visit(page, `/videoplayer?reel=${site.reel}`);
    const playing = () =>
      page.locator('.clip:not([inert]) video').evaluate((one: HTMLVideoElement) => !one.paused);
    await expect.poll(playing).toBe(true);
    const more = page.locator('summary[aria-label="More"]');
    const report = async () => {
      await more.click();
      await openReport(page);
      await dialog(page).getByText('Tell us what is wrong with this reel.').waitFor();
      await expect.poll(playing).toBe(false);
      expect(await dialog(page).getByLabel('How can we answer you?').count()).toBe(0);
      await dialog(page).getByLabel('Spam or fraud').check();
      await send(page);
      const number = await numberIn(page);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count()).toBe(0);
      await expect.poll(playing).toBe(true);
      return number;
    };
    const number = await report();
    expect(await report()).toBe(number);
    const own = (await reportsOf(site.reel)).filter(({ reporter_id }) => reporter_id === fan.id);
    expect(own).toMatchObject([{ number, kind: 'reel', contact: '' }]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('of a story is in its menu; the story waits, and goes on with its keys afterwards [long]', async () => {
    const teller = await signUpAt(site.origin, 'reported.uma');
    for (const [place, words] of ['First', 'Second'].entries())
      await publishStatus(site.db, site.data, teller.id, words, new Date(Date.now() - 5000 + place * 1000));
    const { page, complaints, leave } = await site.open();
    await visit(page, `/story/${teller.id}`);
    const shown = (words: string) => page.locator('.stories').getByText(words, { exact: true });
    await shown('First').waitFor();
    await page.locator('.stories summary[aria-label=More]').click();
    await page.locator('.stories').getByRole('button', { name: 'Report' }).click();
    await dialog(page).getByText('Tell us what is wrong with this story.').waitFor();
    await dialog(page).getByLabel('Something else').check();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => dialog(page).getByLabel('Spam or fraud').isChecked()).toBe(true);
    await send(page);
    await numberIn(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    await shown('First').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('.stories') !== null))
      .toBe(true);
    await page.keyboard.press('ArrowRight');
    await shown('Second').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('of a comment is beside it [long]', async () => {
    const speaker = await signUpAt(site.origin, 'reported.sam');
    const [reel = ''] = await giveReels(site, author.id, ['Talked about']);
    await speaker.send('POST', `/api/reel/comment/${reel}`, {
      text: 'An ugly word',
      sentAs: crypto.randomUUID(),
    });
    const { page, leave } = await site.open({ viewport: { width: 1400, height: 900 } });
    await visit(page, `/videoplayer?reel=${reel}`);
    const line = page.getByRole('listitem').filter({ hasText: 'An ugly word' });
    await line.getByRole('button', { name: 'Report' }).click();
    await dialog(page).getByText('Tell us what is wrong with this comment.').waitFor();
    await dialog(page).getByLabel('Hate').check();
    await send(page);
    await numberIn(page);
    await leave();
  });

  it('of a person is on their profile; nobody reports themselves [long]', async () => {
    const { page, leave } = await site.open();
    await visit(page, `/user/${author.id}`);
    await openReport(page);
    await dialog(page).getByText('Tell us what is wrong with this account.').waitFor();
    await dialog(page).getByLabel('Harassment or bullying').check();
    await send(page);
    await numberIn(page);
    expect(await reportsOf(author.id)).toMatchObject([{ kind: 'person', reason: 'harassment' }]);
    await leave();
    const own = await site.open({ person: author });
    for (const path of [`/user/${author.id}`, `/post/${photo}`]) {
      await visit(own.page, path);
      await expect.poll(() => own.page.getByRole('button', { name: 'Report', exact: true }).count()).toBe(0);
    }
    await own.leave();
  });
});

describe('the page of a report [long]', () => {
  it('is read without JavaScript, and kept by no cache and no search engine', async () => {
    const { page, leave } = await site.open({ javaScriptEnabled: false });
    const answer = await page.goto(`/report/${site.reportNumber}`);
    expect(answer?.headers()['cache-control']).toBe('no-store');
    await page.locator('[aria-current=step]').getByRole('heading', { name: 'Received' }).waitFor();
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    const inHindi = await page.goto(`/report/${site.reportNumber}?lang=hi`);
    expect(inHindi?.headers()['cache-control']).toBe('no-store');
    await page.getByRole('heading', { level: 1, name: 'आपकी शिकायत' }).waitFor();
    await leave();
  });

  it.each(['0'.repeat(32), 'nonsense'])('of the number %s does not exist', async (number) => {
    const answer = await fetch(`${site.origin}/report/${number}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('No report has this number');
  });
});
