import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';
import { browser } from '#testing/servers/test-server.ts';

/* A view counts once it was watched, by the player's count and the server's clock (decisions §4). */
const site = emptySite();
let [first, second] = ['', ''];
let creator = '';

beforeAll(async () => {
  const zoya = await signUpAt(site.origin, 'zoya');
  creator = zoya.id;
  // All viewers share one address here: with three others behind it, it is not treated as the creator's own.
  for (const name of ['asha', 'binod', 'chitra'])
    expect((await (await signUpAt(site.origin, name)).send('GET', '/api/block')).status).toBe(200);
  const path = join(site.data, 'clip.mp4');
  await makeClip(path, { seconds: 2, source: 'testsrc2=size=180x320:rate=25' });
  first = await zoya.publish(path, 'A glimpse');
  [second = ''] = await copyReel(site.db, site.data, first, 1);
});

// Headless browsers are known bots.
const open = () => site.open({ userAgent: browser });
const watched = async () =>
  (await site.db.selectFrom('views').select('reel_id').where('creator_id', '=', creator).execute()).map(
    (row) => row.reel_id,
  );
/** Measures played time, since a video loops. The player counts from the arrival of the lease, and a busy browser draws late. */
const hasPlayed = (page: Page, seconds: number) =>
  page.waitForFunction(
    (wanted) => {
      const video = document.querySelector<HTMLVideoElement>('.clip:not([inert]) video');
      const seen = (video?.dataset ?? {}) as { last?: string; sum?: string };
      const now = video?.currentTime ?? 0;
      seen.sum = String(Number(seen.sum ?? 0) + Math.max(0, now - Number(seen.last ?? now)));
      seen.last = String(now);
      return Number(seen.sum) > wanted;
    },
    seconds,
    { polling: 50 },
  );
const shown = (page: Page, id: string) =>
  page.waitForResponse((response) => response.url().endsWith(`/api/reel/increaseView/${id}`));

it('the next showing reports the watched one, and leaving the player the last one; one left at once does not count [long]', async () => {
  const { page, leave } = await open();
  const showing = shown(page, first);
  await visit(page, '/');
  await page.locator(`a[href="/videoplayer?reel=${first}"]`).first().click();
  const { counted, lease } = await (await showing).json();
  expect({ counted, lease: typeof lease }).toEqual({ counted: false, lease: 'string' });
  await hasPlayed(page, 4);
  expect(await watched()).toEqual([]);

  const next = shown(page, second);
  await page.keyboard.press('ArrowDown');
  expect((await next).request().postDataJSON()).toMatchObject({ watched: [{ lease }] });
  await expect.poll(watched).toEqual([first]);

  await hasPlayed(page, 4);
  await page.getByRole('button', { name: 'Back' }).click();
  await arrive(page, '/');
  // Playwright does not see calls that outlive their page.
  await expect.poll(async () => (await watched()).sort()).toEqual([first, second].sort());
  await leave();

  const other = await open();
  const again = shown(other.page, first);
  await visit(other.page, `/videoplayer?reel=${first}`);
  await again;
  const skipped = shown(other.page, second);
  // The key comes from the page itself: on a busy machine one from outside comes after the whole clip.
  await other.page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('.clip:not([inert]) video');
    const skip = () => {
      if (!video?.currentTime) return void requestAnimationFrame(skip);
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    };
    skip();
  });
  expect((await skipped).request().postDataJSON().watched).toEqual([]);
  await other.leave();
  expect(await watched()).toHaveLength(2);
});

it('closing the page reports what was watched', async () => {
  const { page, leave } = await open();
  const showing = shown(page, first);
  await visit(page, `/videoplayer?reel=${first}`);
  await showing;
  await hasPlayed(page, 4);
  const before = (await watched()).length;
  await page.goto('about:blank');
  await expect.poll(async () => (await watched()).length).toBe(before + 1);
  await leave();
});

it('a browser in which the creator was logged in without watching is their own after the logout [long]', async () => {
  const { page, leave } = await open();
  await visit(page, '/LoginEmail');
  await page.getByLabel('Email').fill('zoya@people.example');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.locator('main').getByRole('button', { name: 'Login' }).click();
  await arrive(page, '**/UserProfile');
  await page.getByRole('button', { name: 'Logout' }).click();
  await arrive(page, '**/LoginGoogle');

  const before = (await watched()).length;
  const showing = shown(page, first);
  await visit(page, `/videoplayer?reel=${first}`);
  await showing;
  await hasPlayed(page, 4);
  await page.goto('about:blank');
  const own = site.db.selectFrom('reel_days').select('views').where('verdict', '=', 'own');
  await expect.poll(() => own.where('reel_id', '=', first).execute()).toEqual([{ views: 1 }]);
  expect(await watched()).toHaveLength(before);
  await leave();
});
