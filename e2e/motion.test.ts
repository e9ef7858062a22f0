import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { publishStatus } from '#testing/fixtures/posts.ts';

const site = sharedSite();
let teller: Client;
beforeAll(async () => {
  teller = await signUpAt(site.origin, 'motion.tara');
  await publishStatus(site.db, site.data, teller.id, 'A glimpse', new Date());
});

/** They last as long as what they show: loading, a page on its way, and the time of a story. */
const indicators = ['turn', 'story', 'glimpse', 'run', 'appear'];

/** What takes longer than so many milliseconds, of all that is on the page, and of the change from page to page. */
const longerThan = (page: Page, most: number) =>
  page.evaluate(
    ({ most, indicators }) => {
      const longest = (durations: string) =>
        Math.max(
          ...durations.split(',').map((one) => Number.parseFloat(one) * (one.includes('ms') ? 1 : 1000)),
        );
      const parts = [undefined, '::before', '::after', '::backdrop'];
      const looks = [...document.querySelectorAll('*')].flatMap((element) =>
        parts.map((part) => ({
          name: element.outerHTML.slice(0, 80),
          look: getComputedStyle(element, part),
        })),
      );
      const slow = looks.filter(
        ({ look }) =>
          longest(look.transitionDuration) > most ||
          (look.animationName !== 'none' &&
            !indicators.includes(look.animationName) &&
            longest(look.animationDuration) > most),
      );
      const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
      const between = rules.filter(
        (rule) => rule instanceof CSSStyleRule && rule.selectorText.startsWith('::view-transition'),
      ) as CSSStyleRule[];
      return [
        ...slow.map(({ name }) => name),
        ...between
          .filter(
            ({ style }) => style.animationDuration && longest(style.animationDuration) > Math.max(most, 250),
          )
          .map(({ selectorText }) => selectorText),
      ];
    },
    { most, indicators },
  );

describe.each([
  ['lasts less than a quarter of a second', 'no-preference', 249],
  ['is not shown to whoever wants less of it', 'reduce', 0.01],
] as const)('motion %s', (_, reducedMotion, most) => {
  it('in the player with its menu and a sheet, in stories, and between the tabs of a profile', async () => {
    const { page, leave } = await site.open({ reducedMotion, viewport: { width: 390, height: 844 } });
    await visit(page, `/videoplayer?reel=${site.reel}`);
    await page.locator('summary[aria-label="More"]').click();
    const report = page.getByRole('button', { name: 'Report', exact: true });
    await report.waitFor();
    expect(await longerThan(page, most)).toEqual([]);
    await report.click();
    await page.getByRole('dialog').waitFor();
    expect(await longerThan(page, most)).toEqual([]);
    await visit(page, `/story/${teller.id}`);
    await page.locator('.stories').getByText('A glimpse').waitFor();
    expect(await longerThan(page, most)).toEqual([]);
    await visit(page, `/user/${teller.id}`);
    await page.getByRole('tab').first().waitFor();
    expect(await longerThan(page, most)).toEqual([]);
    await leave();
  });
});
