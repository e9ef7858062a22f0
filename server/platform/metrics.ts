import { Counter, collectDefaultMetrics, type Gauge, Registry } from 'prom-client';

/** Longest time that reading one sample may delay the response, in milliseconds. */
const timeout = 2000;

/** The metrics of one server; two servers in one process each have their own. */
export interface Metrics {
  /** Where counters and histograms are registered: `new Counter({ …, registers: [metrics.registry] })`. */
  registry: Registry;
  /**
   * Adds gauges that `read` sets on each scrape. If it fails or times out, these gauges are left out and the failure is counted
   * under `name`: the other metrics are needed most when a server is in trouble.
   */
  sample(name: string, gauges: readonly Gauge[], read: () => Promise<void> | void): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const failures = new Counter({
    name: 'jhalak_sample_failures_total',
    help: 'Samples that could not be read for a scrape',
    labelNames: ['sample'],
    registers: [registry],
  });
  const samples: (() => Promise<void>)[] = [];
  return {
    registry,
    sample(name, gauges, read) {
      samples.push(async () => {
        for (const gauge of gauges) {
          gauge.reset();
          // reset() sets a gauge without labels to 0, which would look like a value.
          gauge.remove({});
        }
        try {
          await inTime(read);
        } catch {
          failures.inc({ sample: name });
        }
      });
    },
    async text() {
      await Promise.all(samples.map((read) => read()));
      return await registry.metrics();
    },
  };
}

/** Metrics of the process: memory, processor, event loop, handles. Call it once per process. */
export function measureProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}

async function inTime(read: () => Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the sample timed out')), timeout);
  });
  try {
    await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
