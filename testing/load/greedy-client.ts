import { Agent, request } from 'node:http';
import { setPriority } from 'node:os';

/** The requests of a greedy client: without pause, on this many connections, until it is stopped. */
export interface Greed {
  origin: string;
  /** Its source addresses, which its connections use in turns. */
  addresses: string[];
  headers?: Record<string, string>;
  connections: number;
  /** Each connection starts at another path. */
  paths: string[];
}

/** Results at the end: the count of each status (0: no response), and the median time of a 200, in milliseconds. */
export interface Got {
  statuses: Record<number, number>;
  took: number;
}

// A real one runs on a machine of its own: here it gets only processor time that the measured programs do not use.
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
    // Each connection has got its first response.
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
