import { kilobytes, type Measurement } from './harness.ts';
import { scriptBudget } from './script-budget.ts';
import { scriptSizes } from './script-size.ts';

/** Script of a first visit to each route, as compressed by the build (brotli). */
export const script: Measurement = {
  name: 'script',
  async run() {
    return scriptSizes()
      .toSorted((a, b) => (a.route < b.route ? -1 : 1))
      .map(({ route, ours, libraries }) => {
        const budget = scriptBudget(route);
        return {
          what: `Script of ${route}`,
          ours: kilobytes(ours),
          against: `${kilobytes(libraries)} of libraries`,
          ratio: `${kilobytes(ours + libraries)} in all`,
          reach: `≤ ${budget.all / 1000} KB, ours ≤ ${budget.ours / 1000}`,
          holds: ours <= budget.ours && ours + libraries <= budget.all,
        };
      });
  },
};
