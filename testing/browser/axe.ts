import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The accessibility rules that a page breaks, each with its first element; `rules` names the few to look at. No page of ours
 * frames another site's, so all is done in the page itself: otherwise the library opens a page of its own for each look.
 */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  // A notice that fades in has the colours of a moment.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-sonner-toast]')]
      .flatMap((notice) => notice.getAnimations({ subtree: true }))
      .every(({ playState }) => playState !== 'running'),
  );
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.any[0]?.message}`);
}
