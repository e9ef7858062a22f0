import { createFairQueue } from '#server/platform/fair-queue.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal } from '#server/platform/refusal.ts';

/** How many imports a process makes at once: each holds a connection, disk and a decoder. */
const atOnce = 4;
/** Of these, for whoever has no login. */
const ofNobodyAtOnce = 1;
/** Longest wait for a turn, in milliseconds, and how many wait. */
const patience = 60_000;
const waiting = 100;

/** Turns at fetching links: people's networks take them one after the other, and whoever has no login takes one in four at most. */
export interface Turns {
  ofPerson<T>(personId: string, work: () => Promise<T>): Promise<T>;
  ofNobody<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const fetching = new Set<string>();
  const everybody = createFairQueue({ atOnce, waiting, patience }, crowded);
  const nobody = createFairQueue({ atOnce: ofNobodyAtOnce, waiting, waitingEach: 2, patience }, crowded);

  return {
    async ofPerson(personId, work) {
      if (fetching.has(personId))
        throw new Refusal(
          'import_busy',
          'Your last link is still being fetched. Please wait for it.',
          'link',
        );
      fetching.add(personId);
      try {
        return await during(everybody.enter(clientOfPerson(personId)), work);
      } finally {
        fetching.delete(personId);
      }
    },
    ofNobody: (address, work) =>
      during(nobody.enter(ipPrefixesOf(address)), () => during(everybody.enter('nobody'), work)),
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
  const sentence = 'Many links are being fetched right now. Please try again in a minute.';
  const refusal = new Refusal('import_busy', sentence, 'link');
  refusal.retryAfter = 60;
  return refusal;
}
