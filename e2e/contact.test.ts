import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { takenOver, visit } from '#testing/browser/visitor.ts';
import type { Client } from '#testing/clients/api-client.ts';
import { isWhole } from '#testing/share.ts';

const site = sharedSite();

/* Both forms keep their drafts by the same hook; that of `/Feedback`, which knows less of a person, is tried in `test:long`. */

describe('/Contact and /Feedback (specification §5, §8)', () => {
  it.each(isWhole ? ['/Contact', '/Feedback'] : ['/Contact'])(
    '%s shows what a person typed to nobody else: not to the next person signed in, not to a visitor',
    async (path) => {
      const { page, leave } = await site.open();
      await visit(page, path);
      const other = await page.context().newPage();
      await visit(other, '/About');
      /** In another tab, whose changes this one receives. */
      const become = (person?: Client) =>
        other.evaluate(
          (kept) => {
            localStorage.clear();
            for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
          },
          (person ? { user: JSON.stringify(person.user), authToken: person.token } : {}) as Record<
            string,
            string
          >,
        );
      const words = page.locator('textarea');
      const texts = () =>
        page
          .locator('main form')
          .evaluate((form) => Object.fromEntries(new FormData(form as HTMLFormElement)));
      const nothing =
        path === '/Contact' ? { name: '', email: '', phone: '', text: '' } : { name: '', text: '' };

      await become(site.creator);
      // Text typed before the page has heard of the login belongs to the visitor.
      await page.getByRole('link', { name: 'Profile', exact: true }).waitFor();
      if (path === '/Contact') await expect.poll(async () => (await texts()).name).toBe('zoya');
      await words.fill('About my account');
      await become(site.fan);
      await expect.poll(() => words.inputValue()).toBe('');
      await expect.poll(async () => JSON.stringify(await texts())).not.toContain('zoya');
      await become();
      await expect.poll(texts).toEqual(nothing);
      await page.reload();
      await takenOver(page);
      expect(await texts()).toEqual(nothing);
      // The person who typed it gets it back.
      await become(site.creator);
      await expect.poll(() => words.inputValue()).toBe('About my account');
      await leave();
    },
  );

  it('fills in and locks name and email of a signed-in person, and confirms that message and feedback were sent [long]', async () => {
    const { page, leave } = await site.open({ person: site.creator });
    await visit(page, '/Contact');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('zoya@people.example');
    await expect.poll(() => page.getByLabel('Name').getAttribute('readonly')).not.toBeNull();
    await page.getByLabel('Message').fill('From my account');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent successfully!').waitFor();
    const { person_id } = await site.db
      .selectFrom('messages')
      .select('person_id')
      .where('text', '=', 'From my account')
      .executeTakeFirstOrThrow();
    expect(person_id).toBe(site.creator.id);
    await visit(page, '/Feedback');
    await page.getByLabel('Your feedback').fill('More kites');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText('Feedback submitted successfully!').waitFor();
    await leave();
  });
});
