import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The accessibility rules that a page breaks, each with its first element; `rules` selects a few of them. No page of ours
 * contains frames, so axe runs in the page itself: otherwise the library opens another page for each run.
 */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  // A notice that is still fading in has other colours.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-sonner-toast]')]
      .flatMap((notice) => notice.getAnimations({ subtree: true }))
      .every(({ playState }) => playState !== 'running'),
  );
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.any[0]?.message}`);
}
