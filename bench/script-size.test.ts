import { describe, expect, it } from 'vitest';
import { scriptBudget } from './script-budget.ts';
import { scriptSizes } from './script-size.ts';

describe('a first visit loads no more script than its budget', () => {
  const sizes = scriptSizes();

  it.each(sizes.map((size) => [size.route, size] as const))('%s', (route, { ours, libraries }) => {
    const budget = scriptBudget(route);
    expect(ours).toBeLessThanOrEqual(budget.ours);
    expect(ours + libraries).toBeLessThanOrEqual(budget.all);
  });

  it('and no route loads the script of another one', () => {
    const home = sizes.find(({ route }) => route === '/');
    const plain = sizes.find(({ route }) => route === '/PrivacyPolicy');
    // Modules that only Home needs are not in the script of every page.
    expect((home?.ours ?? 0) - (plain?.ours ?? 0)).toBeGreaterThan(1000);
    expect(sizes.length).toBeGreaterThan(25);
  });
});
