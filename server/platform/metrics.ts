import { Counter, collectDefaultMetrics, type Gauge, Registry } from 'prom-client';

/** Longest that reading a sample may hold up an answer, in milliseconds. */
const patience = 2000;

/** The figures of one server; two servers in one process have one each. */
export interface Metrics {
  /** Where counters and histograms are registered: `new Counter({ …, registers: [metrics.registry] })`. */
  registry: Registry;
  /**
   * Gauges that are read when somebody looks. Where `read` fails or takes too long they are left out of the answer, and the
   * failure is counted under `name`: the figures of a server in trouble are the ones that are needed.
   */
  sample(name: string, gauges: readonly Gauge[], read: () => Promise<void> | void): void;
  /** All figures in Prometheus' text format. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const failures = new Counter({
    name: 'jhalak_sample_failures_total',
    help: 'Figures that could not be read for an answer of this port',
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
          // Without labels it would be nought, which is a figure too.
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

/** Figures of the process itself: memory, processor, event loop, handles. Once a process. */
export function measureProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}

async function inTime(read: () => Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the sample came too late')), patience);
  });
  try {
    await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
