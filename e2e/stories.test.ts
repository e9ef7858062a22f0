import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Story } from '#contract/stories.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { publishStatus } from '#testing/fixtures/posts.ts';

const phone = { width: 390, height: 844 };
const site = emptySite();
let asha: Client;
let ravi: Client;
let meena: Client;

beforeAll(async () => {
  [asha, ravi, meena] = await Promise.all([
    signUpAt(site.origin, 'asha'),
    signUpAt(site.origin, 'ravi'),
    signUpAt(site.origin, 'meena'),
  ]);
  await follow(contextOn(site.db), meena.id, asha.id);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await publishStatus(site.db, site.data, asha.id, 'On the roof', ago(30));
  await publishStatus(site.db, site.data, asha.id, 'On the street', ago(20));
  await publishStatus(site.db, site.data, ravi.id, 'At the river', ago(10));
});

const row = (page: Page) => page.getByRole('region', { name: 'Stories' }).getByRole('link');
const names = (page: Page) =>
  row(page).evaluateAll((all) =>
    all.flatMap((one) => one.getAttribute('aria-label')?.replace(/[\u2068\u2069]/g, '') ?? []),
  );
const openOf = (page: Page, { id }: Client) => page.locator(`a[href="/story/${id}"]`).click();
const viewer = (page: Page) => page.getByRole('dialog');
const see = (page: Page, words: string) => viewer(page).locator('.stories-foot').getByText(words).waitFor();
async function ownStories({ id, send }: Client): Promise<Story[]> {
  const { body } = await send('GET', `/api/story/getFriendStorydata/${id}`);
  return (body as unknown as { data: Story[] }).data;
}
/** Waits until the device knows that the newest story of a person was seen: its picture is there. */
async function untilSeen(page: Page, person: Client): Promise<void> {
  const [newest] = await ownStories(person);
  const kept = () => page.evaluate(() => localStorage.getItem('stories.seen'));
  await expect.poll(kept).toContain(newest?._id);
}
/** Whether the bar of a story runs. */
const stateOf = (bar: Element) => getComputedStyle(bar).animationPlayState;
/** Stories stay until somebody moves on. */
const still = { reducedMotion: 'reduce' } as const;

describe('the row of stories on Home', () => {
  it('is in the server’s page, and opens a viewer that Back closes', async () => {
    const html = await (await fetch(site.origin, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(`href="/story/${asha.id}"`);
    const { page, complaints, leave } = await site.open({ viewport: phone, ...still });
    await visit(page, '/');
    expect(await names(page)).toEqual(['New story of ravi', 'New story of asha']);
    await openOf(page, asha);
    await arrive(page, `/story/${asha.id}`);
    await see(page, 'On the roof');
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await expect.poll(() => viewer(page).count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('goes through all stories by taps and from person to person, and shows in grey what was seen [long]', async () => {
    const { page, leave } = await site.open({ viewport: phone, ...still });
    await visit(page, '/');
    await openOf(page, ravi);
    await see(page, 'At the river');
    await untilSeen(page, ravi);
    // The right two thirds.
    await page.mouse.click(300, 420);
    await see(page, 'On the roof');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/story/${asha.id}`);
    await page.mouse.click(300, 420);
    await see(page, 'On the street');
    await page.mouse.click(40, 420);
    await see(page, 'On the roof');
    await page.mouse.click(300, 420);
    await see(page, 'On the street');
    await untilSeen(page, asha);
    await page.mouse.click(300, 420);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await expect.poll(() => names(page)).toEqual(['Story of ravi, seen', 'Story of asha, seen']);
    await leave();
  });

  it('lists followed people first, works by keyboard alone, and counts a viewer once for the owner', async () => {
    const { page, leave } = await site.open({ person: meena, ...still });
    await visit(page, '/');
    await expect.poll(() => names(page)).toEqual(['New story of asha', 'New story of ravi']);
    await page.locator(`a[href="/story/${asha.id}"]`).press('Enter');
    await see(page, 'On the roof');
    const counts = async () => (await ownStories(asha)).map(({ seenBy }) => seenBy);
    await expect.poll(counts).toEqual([0, 1]);
    await page.keyboard.press('ArrowRight');
    await see(page, 'On the street');
    await expect.poll(counts).toEqual([1, 1]);
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await expect.poll(() => names(page)).toEqual(['Story of asha, seen', 'New story of ravi']);
    const focused = page.locator(`a[href="/story/${asha.id}"]:focus-visible`);
    await expect.poll(() => focused.count()).toBe(1);
    await leave();
  });

  it('are shared from the viewer, where no time runs meanwhile [long]', async () => {
    const { page, complaints, leave } = await site.open({ viewport: phone });
    await visit(page, `/story/${ravi.id}`);
    await page.locator('summary[aria-label="More"]').click();
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    const address = `${site.origin}/story/${ravi.id}`;
    expect(await dialog.getByLabel('Link to this page').inputValue()).toBe(address);
    await expect.poll(() => page.locator('[data-part="now"]').evaluate(stateOf)).toBe('paused');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => page.locator('[data-part="now"]').evaluate(stateOf)).toBe('running');
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('gestures on a phone [long]', () => {
  async function swipe(page: Page, [x, y]: [number, number], [toX, toY]: [number, number]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + toX) / 2, (y + toY) / 2);
    await page.mouse.move(toX, toY);
    await page.mouse.up();
  }

  it('are a swipe to the side for the next person, and one down to close', async () => {
    const { page, leave } = await site.open({ viewport: phone, ...still });
    await visit(page, '/');
    await openOf(page, ravi);
    await see(page, 'At the river');
    await swipe(page, [300, 400], [100, 410]);
    await see(page, 'On the roof');
    await swipe(page, [100, 400], [300, 390]);
    await see(page, 'At the river');
    await swipe(page, [200, 300], [210, 600]);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await leave();
  });
});

describe('/story/{userId} [long]', () => {
  it('is a page of its own, with title and card, and search engines forget it with its last story', async () => {
    const answer = await fetch(`${site.origin}/story/${asha.id}?lang=hi`, {
      headers: { accept: 'text/html' },
    });
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toMatch(/<title>[^<]*asha[^<]* की स्टोरी · झलक<\/title>/);
    expect(html).toMatch(/<meta property="og:image" content="http[^"]+\/media\//);
    const [, until = ''] = /<meta name="robots" content="unavailable_after: ([^"]+)"\/>/.exec(html) ?? [];
    const left = Date.parse(until) - Date.now();
    expect(left).toBeGreaterThan(23 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
    // This answer sets the language; others may be cached elsewhere, unless they say that they may not.
    const other = await fetch(`${site.origin}/story/${asha.id}`);
    expect(other.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(html).toContain('On the roof');
  });

  it.each([
    ['en', 'Close', phone],
    ['hi', 'बंद करें', { width: 1280, height: 800 }],
  ] as const)(
    'closes to the profile of the person, and breaks no rule of accessibility: %s [long]',
    async (lang, close, viewport) => {
      const { page, complaints, leave } = await site.open({ viewport, ...still });
      await visit(page, `/story/${asha.id}?lang=${lang}`);
      await see(page, 'On the roof');
      expect(await violationsOf(page)).toEqual([]);
      await viewer(page).getByRole('button', { name: close }).click();
      await arrive(page, `/user/${asha.id}`);
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it('shows the first story without a script', async () => {
    const { page, leave } = await site.open({ javaScriptEnabled: false, viewport: phone });
    await page.goto(`/story/${asha.id}`);
    await see(page, 'On the roof');
    await viewer(page).getByRole('link', { name: 'Close' }).click();
    await page.waitForURL(`/user/${asha.id}`);
    await leave();
  });

  it('has links in its words, which a tap follows', async () => {
    const kavi = await signUpAt(site.origin, 'kavi');
    await publishStatus(site.db, site.data, kavi.id, 'With @ravi', new Date());
    const { page, leave } = await site.open({ viewport: phone, ...still });
    await visit(page, `/story/${kavi.id}`);
    await viewer(page).getByRole('link', { name: '@ravi' }).click();
    await arrive(page, '/search?q=ravi&kind=person');
    await leave();
    const [story] = await ownStories(kavi);
    await kavi.send('DELETE', `/api/story/deleteStory/${story?._id}`);
  });

  it('answers 404 for a person without a story, and within a second after a take-down, a deletion or a suspension', async () => {
    const nila = await signUpAt(site.origin, 'nila');
    const status = async () => (await fetch(`${site.origin}/story/${nila.id}`)).status;
    expect(await status()).toBe(404);
    await publishStatus(site.db, site.data, nila.id, 'For a moment', new Date());
    await expect.poll(status).toBe(200);
    const people = site.db.updateTable('people').where('id', '=', nila.id);
    await people.set({ suspended_at: new Date() }).execute();
    await expect.poll(status).toBe(404);
    await people.set({ suspended_at: null }).execute();
    await expect.poll(status).toBe(200);
    const stories = site.db.updateTable('stories').where('creator_id', '=', nila.id);
    await stories
      .set({ taken_down_at: new Date(), taken_down_as: 'content', taken_down_reason: 'a test' })
      .execute();
    await expect.poll(status).toBe(404);
    await stories.set({ taken_down_at: null, taken_down_as: null, taken_down_reason: null }).execute();
    await expect.poll(status).toBe(200);
    const [story] = await ownStories(nila);
    await nila.send('DELETE', `/api/story/deleteStory/${story?._id}`);
    const gone = await fetch(`${site.origin}/story/${nila.id}`);
    expect(gone.status).toBe(404);
    expect(await gone.text()).toContain('There is no story here');
  });

  it('is not found by a blocked person', async () => {
    const omar = await signUpAt(site.origin, 'omar');
    await asha.send('POST', `/api/block/${omar.id}`);
    const { page, leave } = await site.open({ person: omar });
    await visit(page, `/story/${asha.id}`);
    await page.getByRole('heading', { name: 'There is no story here' }).waitFor();
    await leave();
  });
});

describe('a ring round the avatar [long]', () => {
  it('is on the profile of a person with stories, and on one’s own, and opens them', async () => {
    const { page, leave } = await site.open({ person: asha, ...still });
    await visit(page, `/user/${ravi.id}`);
    await openOf(page, ravi);
    await see(page, 'At the river');
    await visit(page, '/UserProfile');
    await openOf(page, asha);
    await see(page, 'Seen by');
    await leave();
  });
});
