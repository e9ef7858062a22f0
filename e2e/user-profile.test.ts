import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import {
  arrive,
  noteShifts,
  shiftsOf,
  takenOver,
  type VisitorOptions,
  visit,
} from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { publishPicture, publishStatus } from '#testing/fixtures/posts.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { someOf } from '#testing/share.ts';

const site = sharedSite();
/** Has one reel, two posts, a current story and an expired one, and a follower; no test deletes anything of hers. */
let owner: Client;
const hour = 3_600_000;

beforeAll(async () => {
  owner = await signUpAt(site.origin, 'profile.owner');
  await giveReels(site, owner.id, ['A glimpse of zoya']);
  await posts(owner, ['The older photo', 'The newer photo']);
  await story(owner, 'On the roof', new Date());
  await story(owner, 'Yesterday', new Date(Date.now() - 25 * hour));
  await follow(contextOn(site.db), site.fan.id, owner.id);
});

/** Publishes pictures, the last one newest. */
async function posts(person: Client, captions: string[]): Promise<string[]> {
  const now = Date.now() - captions.length * 1000;
  const ids = [];
  for (const [place, caption] of captions.entries())
    ids.push(await publishPicture(site.db, site.data, person.id, caption, new Date(now + place * 1000)));
  return ids;
}

const story = (person: Client, statusText: string, at: Date) =>
  publishStatus(site.db, site.data, person.id, statusText, at);

const open = (options: VisitorOptions = {}) => site.open(options);
const panel = (page: Page) => page.getByRole('tabpanel');
const item = (page: Page, caption: string) => panel(page).getByRole('listitem').filter({ hasText: caption });
const captions = (page: Page) => panel(page).locator('li p[dir=auto]').allTextContents();
const counts = (page: Page) => page.locator('main header dl dd').allTextContents();
const dialog = (page: Page) => page.getByRole('dialog');

async function askToDelete(page: Page, caption: string) {
  await item(page, caption)
    .getByRole('button', { name: `Delete ${caption}` })
    .click();
}
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();

/** Holds the requests to an address until they are continued or aborted. */
async function hold(page: Page, address: string) {
  let release = (_: 'on' | 'off') => {};
  const released = new Promise<'on' | 'off'>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    if ((await released) === 'on') await route.continue();
    else await route.abort();
  });
  return release;
}

describe('the profile of a visitor [long]', () => {
  it('becomes a login prompt when the session ends', async () => {
    const person = await signUpAt(site.origin, 'profile.expired');
    await person.send('POST', '/api/logout');
    const { page, leave } = await open({ person });
    await visit(page, '/UserProfile');
    const sentence = page.getByText('Your session has ended. Please log in again.');
    await page.locator('main').locator(sentence).waitFor();
    // The notice would be loaded first.
    await takenOver(page);
    expect(await sentence.count()).toBe(1);
    await leave();
  });
});

describe('the head of a profile (specification §2) [long]', () => {
  it('keeps the label of each button on one line, at any width and in both languages', async () => {
    const { page, leave } = await open({ person: owner });
    for (const lang of ['en', 'hi']) {
      await visit(page, `/UserProfile?lang=${lang}`);
      await expect.poll(() => counts(page)).toEqual(['1', '2', '1', '0']);
      await page.evaluate(() => document.fonts.ready);
      for (const width of [320, 390, 1024]) {
        await page.setViewportSize({ width, height: 800 });
        const tall = await page
          .locator('main header :is(a, button, summary):not(ul *)')
          .evaluateAll((all) => all.filter((one) => one.clientHeight > 46).map((one) => one.textContent));
        expect(tall, `${lang}, ${width} px`).toEqual([]);
      }
    }
    await leave();
  });

  it('is complete after a login whose response had no user', async () => {
    const { page, leave } = await open({
      person: { ...owner, user: { email: 'profile.owner@people.example' } },
    });
    await visit(page, '/UserProfile');
    await expect.poll(() => counts(page)).toEqual(['1', '2', '1', '0']);
    await item(page, 'A glimpse of zoya').waitFor();
    expect(await page.getByRole('link', { name: 'Delete account' }).getAttribute('href')).toBe(
      `/DeleteUser/${owner.id}`,
    );
    await leave();
  });
});

describe('the tabs of a profile', () => {
  it('are addresses: they work by click, arrow keys, reload and as a shared link; expired stories are marked as such', async () => {
    const { page, complaints, leave } = await open({ person: owner });
    await visit(page, '/UserProfile');
    await item(page, 'A glimpse of zoya').waitFor();
    await page.getByRole('tab', { name: 'Posts' }).click();
    await arrive(page, '/UserProfile?tab=posts');
    await item(page, 'The newer photo').waitFor();
    await expect.poll(() => captions(page)).toEqual(['The newer photo', 'The older photo']);
    await page.getByRole('tab', { name: 'Posts' }).press('ArrowRight');
    await arrive(page, '/UserProfile?tab=stories');
    await item(page, 'On the roof').waitFor();
    await page.reload();
    await item(page, 'On the roof').waitFor();
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Stories');
    // The owner sees expired stories too.
    await item(page, 'Yesterday').waitFor();
    await expect.poll(() => captions(page)).toEqual(['On the roof', 'Yesterday']);
    const mark = 'Ended: only you can see it';
    await item(page, 'Yesterday').getByText(mark).waitFor();
    expect(await item(page, 'On the roof').getByText(mark).count()).toBe(0);
    await page.getByRole('tab', { name: 'Stories' }).press('ArrowRight');
    await arrive(page, '/UserProfile');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('open a reel in the player and a story enlarged, where arrow keys show the next one [long]', async () => {
    const { page, complaints, leave } = await open({ person: owner });
    await visit(page, '/UserProfile');
    const reel = page.getByRole('link', { name: /^A glimpse of zoya/ });
    await reel.click();
    await arrive(page, /\/videoplayer\?reel=/);
    await page.locator('summary[aria-label="More"]').click();
    await page.getByRole('button', { name: 'Delete this reel' }).waitFor();
    await page.keyboard.press('Escape');
    // It is limited to the owner's reels, and she has one.
    expect(await page.getByRole('button', { name: 'Next video' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await arrive(page, '/UserProfile');
    await expect.poll(() => reel.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('tab', { name: 'Stories' }).click();
    const tile = page.getByRole('button', { name: 'Preview the story On the roof' });
    await tile.click();
    await dialog(page).getByRole('img').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog(page).getByRole('heading', { name: 'Yesterday' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    await expect.poll(() => tile.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('a reel that is not public [long]', () => {
  it('is shown as processing until it is ready, and then counts', async () => {
    const person = await signUpAt(site.origin, 'profile.waiting');
    const [id = ''] = await giveReels(site, person.id, ['In the making']);
    const put = async (state: 'processing' | 'ready', count: number) => {
      await changeWorks(site.db, (trx) =>
        trx.updateTable('reels').set({ state }).where('id', '=', id).execute(),
      );
      await site.db.updateTable('people').set({ reel_count: count }).where('id', '=', person.id).execute();
    };
    await put('processing', 0);
    const { page, leave } = await open({ person });
    await visit(page, '/UserProfile');
    await item(page, 'In the making').getByText('Processing…').waitFor();
    expect(
      await item(page, 'In the making')
        .getByRole('link', { name: /^In the making/ })
        .count(),
    ).toBe(0);
    await expect.poll(async () => (await counts(page))[0]).toBe('0');
    await put('ready', 1);
    await item(page, 'In the making')
      .getByRole('link', { name: /^In the making/ })
      .waitFor();
    await expect.poll(async () => (await counts(page))[0]).toBe('1');
    await leave();
  });

  it('is shown as failed, with the reason, and can be deleted, which keeps the focus in the list [long]', async () => {
    const person = await signUpAt(site.origin, 'profile.unlucky');
    const [id = ''] = await giveReels(site, person.id, ['Came to nothing']);
    const failure = 'The video ends in the middle of a picture.';
    await changeWorks(site.db, (trx) =>
      trx.updateTable('reels').set({ state: 'failed', failure }).where('id', '=', id).execute(),
    );
    const { page, leave } = await open({ person });
    await visit(page, '/UserProfile');
    const failed = item(page, 'Came to nothing');
    await failed.getByText('Not published').waitFor();
    await failed.getByText(failure).waitFor();
    await askToDelete(page, 'Came to nothing');
    await confirm(page);
    await panel(page).getByRole('heading', { name: "You haven't posted any reels yet" }).waitFor();
    // The focus stays in the list.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Reels');
    await leave();
  });
});

describe('deleting (specification §4, §8)', () => {
  it('asks first and hides the item at once; after a failure it is back in its old place with an error [long]', async () => {
    const address = '**/api/reel/deleteReel/**';
    const person = await signUpAt(site.origin, 'profile.reels');
    const names = ['The first', 'The second', 'The third'];
    const [, second] = await giveReels(site, person.id, names);
    const { page, leave } = await open({ person });
    await visit(page, '/UserProfile');
    await item(page, 'The second').waitFor();
    const all = names.toReversed();
    const others = ['The third', 'The first'];

    await askToDelete(page, 'The second');
    await dialog(page).getByRole('heading', { name: 'Delete this reel?' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Keep it' }).click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await captions(page)).toEqual(all);

    let release = await hold(page, address);
    await askToDelete(page, 'The second');
    await confirm(page);
    await expect.poll(() => captions(page)).toEqual(others);
    release('off');
    await page.getByText('Delete failed!').waitFor();
    await expect.poll(() => captions(page)).toEqual(all);

    await page.unroute(address);
    release = await hold(page, address);
    await askToDelete(page, 'The second');
    await confirm(page);
    await expect.poll(() => captions(page)).toEqual(others);
    // The page is reloaded below, which would cancel a request that is still under way.
    const deleted = page.waitForResponse(address);
    release('on');
    expect((await deleted).status()).toBe(200);
    await expect.poll(async () => (await counts(page))[0]).toBe('2');
    await page.reload();
    await item(page, 'The first').waitFor();
    await expect.poll(() => captions(page)).toEqual(others);
    expect((await fetch(`${site.origin}/api/reel/getReel/${second}`)).status).toBe(404);
    await leave();
  });

  it('two at once, one of them refused: each ends as the server says [long]', async () => {
    const person = await signUpAt(site.origin, 'profile.hasty');
    const [, second = '', third = ''] = await posts(person, ['One', 'Two', 'Three', 'Four']);
    const { page, leave } = await open({ person });
    await visit(page, '/UserProfile?tab=posts');
    await item(page, 'Two').waitFor();
    const failing = await hold(page, `**/api/post/deletePost/${second}`);
    await askToDelete(page, 'Two');
    await confirm(page);
    await askToDelete(page, 'Three');
    const reloaded = page.waitForResponse('**/api/post/getFrienddata/**');
    await confirm(page);
    await expect.poll(() => captions(page)).toEqual(['Four', 'One']);
    // The list was loaded again, and the item whose deletion is in progress is still hidden.
    await reloaded;
    await expect.poll(async () => (await counts(page))[1]).toBe('3');
    expect(await captions(page)).toEqual(['Four', 'One']);
    failing('off');
    await page.getByText('Delete failed!').waitFor();
    await expect.poll(() => captions(page)).toEqual(['Four', 'Two', 'One']);
    const gone = await fetch(`${site.origin}/api/post/getPost/${third}`);
    expect(gone.status).toBe(404);
    await leave();
  });

  it('in the player and in the preview of a photo leads back to a profile without it [long]', async () => {
    const person = await signUpAt(site.origin, 'profile.watching');
    const [id = ''] = await giveReels(site, person.id, ['To go', 'To stay']);
    await posts(person, ['Photo to stay', 'Photo to go']);
    const { page, complaints, leave } = await open({ person });
    await visit(page, '/UserProfile');
    await page.getByRole('link', { name: /^To go/ }).click();
    await arrive(page, `/videoplayer?reel=${id}`);
    await page.locator('summary[aria-label="More"]').click();
    await page.getByRole('button', { name: 'Delete this reel' }).click();
    await dialog(page).getByRole('heading', { name: 'Delete this reel?' }).waitFor();
    await confirm(page);
    await arrive(page, '/UserProfile');
    await expect.poll(() => captions(page)).toEqual(['To stay']);
    await expect.poll(async () => (await counts(page))[0]).toBe('1');
    expect((await fetch(`${site.origin}/api/reel/getReel/${id}`)).status).toBe(404);

    await page.getByRole('tab', { name: 'Posts' }).click();
    await page.getByRole('link', { name: 'Preview the photo Photo to go' }).click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog(page).getByRole('heading', { name: 'Delete this post?' }).waitFor();
    await confirm(page);
    await expect.poll(() => captions(page)).toEqual(['Photo to stay']);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('whose response was lost shows the state of the server [long]', async () => {
    const person = await signUpAt(site.origin, 'profile.unheard');
    await posts(person, ['To stay', 'To go']);
    const { page, leave } = await open({ person });
    await visit(page, '/UserProfile?tab=posts');
    await page.route('**/api/post/deletePost/**', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await askToDelete(page, 'To go');
    await confirm(page);
    await page.getByText('Delete failed!').waitFor();
    await expect.poll(() => captions(page)).toEqual(['To stay']);
    await expect.poll(async () => (await counts(page))[1]).toBe('1');
    await leave();
  });

  it('removes it from everybody’s lists that this page has loaded [long]', async () => {
    const person = await signUpAt(site.origin, 'profile.tidy');
    await posts(person, ['Not for long']);
    const { page, leave } = await open({ person });
    await visit(page, '/About');
    await page.getByRole('link', { name: 'Posts' }).first().click();
    await page.getByRole('heading', { name: 'Not for long' }).waitFor();
    await page.locator('header a[href="/UserProfile"]').click();
    await page.getByRole('tab', { name: 'Posts' }).click();
    await askToDelete(page, 'Not for long');
    await dialog(page).getByRole('heading', { name: 'Delete this post?' }).waitFor();
    await confirm(page);
    await panel(page).getByRole('heading', { name: "You haven't posted any photos yet" }).waitFor();
    await expect.poll(async () => (await counts(page))[1]).toBe('0');
    // The list of posts is as before, without the deleted one.
    await page.goBack();
    await arrive(page, '/ShowPosts');
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Not for long' }).count()).toBe(0);
    await leave();
  });

  it('fails at once without a network [long]', async () => {
    const { page, leave } = await open({ person: owner });
    await visit(page, '/UserProfile?tab=posts');
    await item(page, 'The older photo').waitFor();
    await page.context().setOffline(true);
    await askToDelete(page, 'The older photo');
    await confirm(page);
    await page.getByText('Delete failed!').waitFor();
    await expect.poll(() => captions(page)).toEqual(['The newer photo', 'The older photo']);
    await leave();
  });
});

describe('a profile that is loading [long]', () => {
  it.each(
    someOf(
      [
        [390, 844],
        [1280, 800],
      ],
      1,
    ),
  )('has no layout shift on a screen of %i by %i', async (width, height) => {
    // What the browser stored is older than what the server returns.
    const user = { ...owner.user, reelCount: 0, postCount: 0, followerCount: 0, name: 'Z' };
    const { page, leave } = await open({ person: { ...owner, user }, viewport: { width, height } });
    await noteShifts(page);
    for (const tab of ['', '?tab=posts', '?tab=stories']) {
      await visit(page, `/UserProfile${tab}`);
      await panel(page).getByRole('listitem').first().waitFor();
      await expect.poll(() => counts(page)).toEqual(['1', '2', '1', '0']);
      expect(await shiftsOf(page)).toEqual([]);
    }
    await leave();
  });
});
