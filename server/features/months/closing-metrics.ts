import { Gauge } from 'prom-client';
import type { Context } from '#server/platform/context.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { secondsUncounted } from './closing.ts';

/** Exports how long ago a month ended that is not counted yet. Operators are alarmed after six hours (decisions §4). */
export function measureClosing(context: Context<'db' | 'clock' | 'config'>, metrics: Metrics): void {
  const age = new Gauge({
    name: 'jhalak_month_uncounted_seconds',
    help: 'How long ago the first month ended that is not counted yet; 0 if all finished months are',
    registers: [metrics.registry],
  });
  metrics.sample('uncounted month', [age], async () => age.set(await secondsUncounted(context)));
}
