import { describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = emptySite();

describe('a site on which nothing has happened yet', () => {
  it('says so before any script runs, and after hydration; each category has 0 reels', async () => {
    const { page, complaints, leave } = await site.open();
    for (const [path, words] of [
      ['/', 'No reels yet'],
      ['/videoplayer', 'No video here yet'],
      ['/ShowPosts', 'No posts yet'],
      ['/AllUsers', 'No users found'],
    ] as const) {
      const response = await fetch(`${site.origin}${path}`, { headers: { accept: 'text/html' } });
      expect(response.status, path).toBe(200);
      expect(await response.text(), path).toContain(words);
      await visit(page, path);
      await page.getByRole('heading', { name: words }).waitFor();
    }
    await visit(page, '/Category');
    expect(await page.locator('main li button').count()).toBe(42);
    expect(await page.locator('main li button').filter({ hasText: '0 reels' }).count()).toBe(42);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('invites a new visitor [long]', async () => {
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
