import { beforeAll, describe, expect, it } from 'vitest';
import { type Reason, sentenceOf } from '#contract/sentences.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { reelsAt } from '#testing/fixtures/months.ts';
import { changeWorks } from '#testing/fixtures/works.ts';

const site = sharedSite();
let taken: Client;
beforeAll(async () => {
  taken = await signUpAt(site.origin, 'reasons.tara');
});

describe("the server's reasons (decision 0031)", () => {
  it.each([['hi-IN', 'साइन अप', 'यह यूज़रनेम पहले से लिया जा चुका है।']])(
    'in %s: a sign-up with a taken username says so beside the field',
    async (locale, button, words) => {
      const { page, leave } = await site.open({ locale });
      await visit(page, '/SignupForm');
      const username = String(taken.user.username);
      for (const [name, value] of Object.entries({
        name: 'Tara',
        username,
        email: `another-${locale}@example.org`,
        password: 'a long secret',
        cpassword: 'a long secret',
      }))
        await page.locator(`input[name=${name}]`).fill(value);
      await page.getByRole('main').getByRole('button', { name: button }).click();
      await page.getByText(words).waitFor();
      await expect.poll(() => page.locator('input[name=username]').getAttribute('aria-invalid')).toBe('true');
      await leave();
    },
  );

  it.each([['hi-IN', 'यह वीडियो अधूरा है: फ़ाइल का आख़िरी हिस्सा नहीं है। कृपया इसे फिर से भेजें।']])(
    'in %s: why a reel could not be processed',
    async (locale, words) => {
      const person = await signUpAt(site.origin, `reasons.${locale.slice(0, 2)}`);
      const [id = ''] = await reelsAt(site.db, person.id, new Date(), 1);
      const reason: Reason = { code: 'file_incomplete', params: {} };
      await changeWorks(site.db, (trx) =>
        trx
          .updateTable('reels')
          .set({ state: 'failed', failure: sentenceOf(reason), failure_reason: reason })
          .where('id', '=', id)
          .execute(),
      );
      const { page, complaints, leave } = await site.open({ locale, person });
      await visit(page, '/UserProfile');
      await page.getByText(words).waitFor();
      expect(complaints).toEqual([]);
      await leave();
    },
  );
});
