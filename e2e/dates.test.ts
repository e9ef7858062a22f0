import { beforeAll, describe, expect, it } from 'vitest';
import { furnishedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { changeWorks } from '#testing/fixtures/works.ts';

const site = furnishedSite();
const now = Date.now();

beforeAll(async () => {
  await changeWorks(site.db, (trx) =>
    trx
      .updateTable('posts')
      .set({ published_at: new Date(now - 3 * 3_600_000) })
      .where('caption', '=', 'The newer photo')
      .execute(),
  );
  await changeWorks(site.db, (trx) =>
    trx
      .updateTable('posts')
      .set({ published_at: new Date('2026-01-02T20:00:00Z') })
      .where('caption', '=', 'The older photo')
      .execute(),
  );
  await site.db
    .updateTable('people')
    .set({ name: 'Quite another' })
    .where('id', '=', site.creator.id)
    .execute();
});

describe('a date (decision 0031)', () => {
  it.each([
    ['en', '3 Jan 2026', '3 h ago', '3 Jan 2026, 1:30 am'],
    ['hi', '3 जन॰ 2026', '3 घंटे पहले', '3 जन॰ 2026, 1:30 am'],
  ])(
    'in %s is a day in the page from the server; recent ones are relative in the browser',
    async (lang, old, recent, exact) => {
      const path = `/ShowPosts?lang=${lang}`;
      const html = await (await fetch(`${site.origin}${path}`)).text();
      expect(html).toContain(`>${old}</time>`);
      expect(html).not.toContain(recent);
      const { page, complaints, leave } = await site.open();
      await visit(page, path);
      const post = (caption: string) => page.getByRole('article').filter({ hasText: caption });
      await post('The newer photo').getByText(recent, { exact: true }).waitFor();
      const older = post('The older photo').locator('time');
      expect(await older.textContent()).toBe(old);
      await expect.poll(() => older.getAttribute('title')).toBe(exact);
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it('of a notification is relative', async () => {
    await site.db
      .updateTable('notifications')
      .set({ created_at: new Date(now - 2 * 86_400_000) })
      .where('kind', '=', 'follow')
      .execute();
    const { page, leave } = await site.open({ person: site.creator });
    await visit(page, '/Activity?lang=en');
    await page.getByRole('link', { name: 'started following you' }).getByText('2 days ago').waitFor();
    await leave();
  });
});

it('shows the initial of the username for a person without a picture, in the header and elsewhere', async () => {
  const { page, leave } = await site.open({ person: site.creator });
  const initial = (within: string) =>
    page.locator(`${within} span[aria-hidden].rounded-full`).first().textContent();
  await visit(page, `/user/${site.creator.id}?lang=en`);
  await page.getByRole('heading', { name: 'Quite another' }).waitFor();
  await expect.poll(() => initial('header')).toBe('Z');
  await expect.poll(() => initial('main')).toBe('Z');
  await visit(page, '/UserProfile');
  await page.getByRole('heading', { name: 'Quite another' }).waitFor();
  await expect.poll(() => initial('main')).toBe('Z');
  await leave();
});
