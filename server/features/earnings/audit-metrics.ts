import { Gauge } from 'prom-client';
import type { Context } from '#server/platform/context.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { lastAudit } from './audit.ts';

/**
 * Exports the result of the last ledger audit as metrics. It is read from the database, so that every process exports
 * the same values, also after a restart. Before the first audit the metrics have no value.
 */
export function measureAudit(context: Context<'db' | 'clock'>, metrics: Metrics): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `jhalak_ledger_audit_${name}`, help, registers: [metrics.registry] });
  const at = gauge('timestamp_seconds', 'When the ledger was last audited, in Unix time');
  const differences = gauge(
    'differences',
    'What the last audit of the ledger found to differ from the events',
  );
  const ok = gauge('ok', '1 where the last audit of the ledger found no difference, else 0');
  metrics.sample('ledger audit', [at, differences, ok], async () => {
    const last = await lastAudit(context);
    if (!last) return;
    at.set(new Date(last.at).getTime() / 1000);
    differences.set(last.differences);
    ok.set(last.differences === 0 ? 1 : 0);
  });
}
