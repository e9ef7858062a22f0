import { Agent, request } from 'node:http';
import { setPriority } from 'node:os';

/** What a greedy client requests: without pause, on this many connections, until it is stopped. */
export interface Greed {
  origin: string;
  /** Where it connects from: its connections take turns. */
  addresses: string[];
  headers?: Record<string, string>;
  connections: number;
  /** Each connection begins at another one. */
  paths: string[];
}

/** Results until it was stopped: how often each status came (0: no response), and the median time of a 200, in milliseconds. */
export interface Got {
  statuses: Record<number, number>;
  took: number;
}

// It has a machine of its own in life: here it takes only what those who are measured leave of the processors.
setPriority(19);
const { origin, addresses, headers = {}, connections, paths } = JSON.parse(process.argv[2] ?? '') as Greed;
const agents = addresses.map(
  (localAddress) => new Agent({ keepAlive: true, maxSockets: connections, localAddress }),
);
const statuses: Got['statuses'] = {};
const times: number[] = [];
let over = false;

const ask = (path: string, agent: Agent | undefined) =>
  new Promise<number>((resolve) => {
    const asking = request(`${origin}${path}`, { agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    asking.once('error', () => resolve(0));
    asking.end();
  });

let begun = 0;

async function keepAsking(first: number): Promise<void> {
  for (let nth = first; !over; nth += connections) {
    // Each connection has been answered once.
    if (nth === first + connections) {
      begun += 1;
      if (begun === connections) process.send?.('begun');
    }
    const started = performance.now();
    const status = await ask(paths[nth % paths.length] ?? '/', agents[first % agents.length]);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) times.push(performance.now() - started);
  }
}

process.once('message', () => {
  over = true;
  const took = times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
  process.send?.({ statuses, took } satisfies Got, () => process.exit(0));
});
await Promise.all(Array.from({ length: connections }, (_, nth) => keepAsking(nth)));
