import { createFairQueue } from '#server/platform/fair-queue.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal } from '#server/platform/refusal.ts';

/** Number of parallel imports in one process. Each needs a connection, disk space and a decoder. */
const concurrency = 4;
/** Number of them for clients without a login. */
const anonymousConcurrency = 1;
/** Maximum waiting time in milliseconds, and maximum length of the queue. */
const timeout = 60_000;
const waiting = 100;

/** Fair queues for imports, shared between networks. Clients without a login use at most one of four places. */
export interface ImportQueue {
  ofPerson<T>(personId: string, work: () => Promise<T>): Promise<T>;
  ofVisitor<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export function createImportQueue(): ImportQueue {
  const importing = new Set<string>();
  const everybody = createFairQueue({ atOnce: concurrency, waiting, timeout }, crowded);
  const visitors = createFairQueue({ atOnce: anonymousConcurrency, waiting, timeout }, crowded);

  return {
    async ofPerson(personId, work) {
      if (importing.has(personId)) throw new Refusal('import_busy', { what: 'yours' }, 'link');
      importing.add(personId);
      try {
        return await during(everybody.enter(clientOfPerson(personId)), work);
      } finally {
        importing.delete(personId);
      }
    },
    ofVisitor: (address, work) =>
      during(visitors.enter(ipPrefixesOf(address)), () => during(everybody.enter('nobody'), work)),
  };
}

async function during<T>(entering: Promise<() => void>, work: () => Promise<T>): Promise<T> {
  const leave = await entering;
  try {
    return await work();
  } finally {
    leave();
  }
}

function crowded(): Refusal {
  const refusal = new Refusal('import_busy', { what: 'many' }, 'link');
  refusal.retryAfter = 60;
  return refusal;
}
