import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The accessibility rules that a page breaks, each with its first element; `rules` selects a few of them. No page of ours
 * contains frames, so axe runs in the page itself, and answers the violations only: to describe every element that broke
 * no rule costs more than to examine them.
 */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  // What is still fading has other colours. A spinner never ends.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = { iframes: false, resultTypes: ['violations'] };
  if (rules) options.runOnly = { type: 'rule', values: rules };
  return await page.evaluate(async (choice) => {
    const { axe: examiner } = window as unknown as { axe: { run: typeof axe.run } };
    const { violations } = await examiner.run(document, choice);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.any[0]?.message}`);
  }, options);
}
