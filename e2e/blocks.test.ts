import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { isWhole } from '#testing/share.ts';
import { siteRoutes } from './routes.ts';

const site = furnishedSite();
const blocked = ['blocks zoya', 'is blocked by zoya'] as const;
const relations = [...blocked, 'has no block'] as const;
/**
 * The server tells the browser of both kinds alike (server/http/api/blocks.test.ts): the other, and who has no block and sees all of her,
 * in `test:long`.
 */
const inBrowser = isWhole ? relations : ['blocks zoya' as const];
const asUnknown = isWhole ? blocked : ['is blocked by zoya' as const];
/** A signed-in person in each relation to zoya, who has published a reel and two photos. */
const viewers = {} as Record<(typeof relations)[number], Client>;
/** The reel of zoya. */
let reel: string;

beforeAll(async () => {
  for (const [place, relation] of relations.entries())
    viewers[relation] = await signUpAt(site.origin, ['gita', 'hari', 'indu'][place] ?? '');
  const { creator } = site;
  await viewers['blocks zoya'].send('POST', `/api/block/${creator.id}`);
  await creator.send('POST', `/api/block/${viewers['is blocked by zoya'].id}`);
  const { body } = await creator.send('GET', `/api/reel/getFrienddata/${creator.id}`);
  reel = (body as unknown as { data: { _id: string }[] }).data[0]?._id ?? '';
});

/** Every page of the site, and zoya's reel by its address. */
const paths = () => [
  ...siteRoutes({
    personId: site.creator.id,
    reelId: site.reel,
    photoId: site.photo,
    reportNumber: site.reportNumber,
    decisionId: site.decisionId,
  }).map(({ path }) => path),
  `/videoplayer?reel=${reel}`,
];
const traces = ['zoya', 'The older photo', 'The newer photo'];
const showsZoya = (html: string) => traces.some((trace) => html.includes(trace));

async function pageOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${site.origin}${path}`, { headers: { accept: 'text/html', ...headers } });
  return (await response.text()).replace(/"nonce":"[^"]*"|nonce="[^"]*"/g, '');
}
const mainOf = (page: Page) => page.locator('main').innerHTML();

describe('a block (decisions §8)', () => {
  it('leaves the bytes of every page the same for everybody', async () => {
    for (const path of paths()) {
      const plain = await pageOf(path);
      for (const relation of relations) {
        const authorization = `Bearer ${viewers[relation].token}`;
        expect(await pageOf(path, { authorization }), `${path}, who ${relation}`).toBe(plain);
      }
    }
  });

  it.each(inBrowser)(
    'leaves zoya out in the browser of who has one, on every page: %s [long]',
    async (relation) => {
      const { page, leave } = await site.open({ person: viewers[relation] });
      const shown: string[] = [];
      for (const path of paths()) {
        if (!showsZoya(await pageOf(path))) continue;
        shown.push(path);
        // None of them follows her.
        if (path === '/?tab=following' && relation === 'has no block') continue;
        await visit(page, path);
        if (relation === 'has no block') expect(showsZoya(await mainOf(page)), path).toBe(true);
        else await expect.poll(async () => showsZoya(await mainOf(page)), { message: path }).toBe(false);
      }
      const { id } = site.creator;
      expect(shown).toEqual(
        expect.arrayContaining(['/', '/ShowPosts', '/AllUsers', `/user/${id}`, `/user/${id}?tab=posts`]),
      );
      expect(shown).toContain(`/videoplayer?reel=${reel}`);
      expect(shown).toContain(`/post/${site.photo}`);
      await leave();
    },
  );

  it.each(asUnknown)(
    'shows a profile, a photo and a reel like unknown ones to a person who %s [long]',
    async (relation) => {
      const { page, leave } = await site.open({ person: viewers[relation] });
      await visit(page, `/user/${site.creator.id}`);
      await page.getByRole('heading', { name: 'User not found' }).waitFor();
      await visit(page, `/post/${site.photo}`);
      await page.getByRole('heading', { name: "This photo isn't available" }).waitFor();
      await visit(page, `/videoplayer?reel=${reel}`);
      const heading = () => page.getByRole('heading', { level: 1 }).textContent();
      const forBlocked = await heading();
      await visit(page, '/videoplayer?reel=018f0000-0000-7000-8000-000000000000');
      expect(forBlocked).toBe(await heading());
      await leave();
    },
  );

  it('holds from a login on, also for lists that were loaded before it [long]', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/ShowPosts');
    await page.getByText('The newer photo').first().waitFor();
    await page.getByRole('link', { name: 'Login' }).first().click();
    await page.waitForURL('/LoginGoogle');
    await page.locator('a[href="/LoginEmail"]').click();
    await arrive(page, '/LoginEmail');
    await page.getByLabel('Email').fill(viewers['blocks zoya'].user.email);
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.getByRole('button', { name: 'Login' }).click();
    await arrive(page, '/UserProfile');
    await page.getByRole('link', { name: 'Posts', exact: true }).first().click();
    await arrive(page, '/ShowPosts');
    await expect.poll(async () => showsZoya(await mainOf(page))).toBe(false);
    await leave();
  });
});

describe('blocked people on /Settings', () => {
  it('are listed, and can be unblocked', async () => {
    const person = await signUpAt(site.origin, 'jaya');
    await person.send('POST', `/api/block/${site.creator.id}`);
    const { page, complaints, leave } = await site.open({ person });
    await visit(page, '/Settings');
    const part = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Blocked people', exact: true }) });
    await part.getByText('@zoya').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await part.getByRole('button', { name: 'Unblock zoya' }).click();
    await part.getByText('You have not blocked anybody.').waitFor();
    await visit(page, `/user/${site.creator.id}`);
    await page.getByRole('heading', { level: 1, name: 'zoya' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('are not shown to the person who is blocked [long]', async () => {
    const { page, leave } = await site.open({ person: viewers['is blocked by zoya'] });
    await visit(page, '/Settings');
    await page.getByText('You have not blocked anybody.').waitFor();
    await leave();
  });
});
