import { describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = emptySite();

describe('a site on which nothing has happened yet', () => {
  it.each([
    ['/', 'No reels yet'],
    ['/videoplayer', 'No video here yet'],
    ['/ShowPosts', 'No posts yet'],
    ['/AllUsers', 'No users found'],
  ])('%s says “%s” before any script runs, and after hydration', async (path, words) => {
    const response = await fetch(`${site.origin}${path}`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(words);
    const { page, complaints, leave } = await site.open();
    await visit(page, path);
    await page.getByRole('heading', { name: words }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows its categories, each with 0 reels', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/Category');
    expect(await page.locator('main li button').count()).toBe(42);
    expect(await page.locator('main li button').filter({ hasText: '0 reels' }).count()).toBe(42);
    await leave();
  });

  it('invites a new visitor', async () => {
    const first = await signUpAt(site.origin, 'first.person');
    const { page, complaints, leave } = await site.open({ person: first });
    for (const [path, words] of [
      ['/Activity', 'Nothing new yet'],
      ['/UserProfile', "You haven't posted any reels yet"],
      [`/user/${first.id}`, 'No reels yet'],
      [`/user/${first.id}?tab=posts`, 'No posts yet'],
    ] as const) {
      await visit(page, path);
      await page.getByRole('heading', { name: words }).waitFor();
    }
    expect(complaints).toEqual([]);
    await leave();
  });
});
