import { join } from 'node:path';
import { cardBytes } from '#server/media/card-limits.ts';
import { encodeCard } from '#server/media/encode-card.ts';
import { cardFile, photoFile, smallCardFile, wideCardFile } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import { createFairQueue } from '#server/platform/fair-queue.ts';
import { machineBusy } from '#server/platform/refusal.ts';
import { singleFlight } from '#server/platform/single-flight.ts';
import { fetchFile } from './fetch-file.ts';
import { listKept } from './stored-files.queries.ts';

/** Making a card takes half a second; more wait in a queue that is fair between networks. */
const usual = { atOnce: 2, waiting: 64, timeout: 20_000 };

interface Requester {
  /** The prefixes of the address, largest first. */
  network: readonly string[];
  /** Called before a card is made; throws if this network has had too many made. */
  countMaking(): Promise<void>;
}

/** The pictures of link previews (docs/decisions/0083-link-previews.md). */
export interface Cards {
  /** The name of the file with this card of a folder, which is made first if it does not exist; undefined if there is no picture. */
  find(key: string, wanted: CardFile, requester: Requester): Promise<string | undefined>;
}

type CardFile = typeof cardFile | typeof wideCardFile;

interface Unmade {
  key: string;
  source: string;
  target: string;
}

/** Makes the cards of photos, smaller ones of what was stored too large, and wide ones, when they are first requested, and stores them. */
export function openCards({ db, storage }: Context<'db' | 'storage'>, bounds = usual): Cards {
  const queue = createFairQueue(bounds, () => machineBusy(new Error('too many cards are being made')));
  /** Each network waits in its own turn, so that no one is refused because of another. */
  const waiting = new Map<string, Promise<string | undefined>>();
  const making = new Map<string, Promise<string | undefined>>();

  const isKept = async (key: string) => (await listKept(db, { keys: [key] })).length > 0;

  async function make({ key, source, target }: Unmade): Promise<string | undefined> {
    if (await storage.find(key, target)) return target;
    if (!(await isKept(key))) return undefined;
    await storage.inWorkspace(async (folder, signal) => {
      const [from, to] = [join(folder, source), join(folder, `made-${target}`)];
      await fetchFile(storage, key, source, from);
      const ownShape = source === photoFile ? 'photo' : 'picture';
      await encodeCard(from, to, { shape: target === wideCardFile ? 'wide' : ownShape, signal });
      await storage.add(key, target, to);
    });
    if (await isKept(key)) return target;
    // Deleted while the card was made.
    await storage.remove(key);
    return undefined;
  }

  async function makeInTurn(unmade: Unmade, { network, countMaking }: Requester) {
    await countMaking();
    const leave = await queue.enter(['cards', ...network]);
    try {
      return await singleFlight(making, `${unmade.key} ${unmade.target}`, () => make(unmade));
    } finally {
      leave();
    }
  }

  return {
    async find(key, wanted, requester) {
      const stored = await storage.find(key, cardFile);
      if (wanted === cardFile && stored && stored.bytes <= cardBytes) return cardFile;
      const source = stored ? cardFile : photoFile;
      const target = wanted === cardFile && stored ? smallCardFile : wanted;
      if (await storage.find(key, target)) return target;
      if (!stored && !(await storage.find(key, source))) return undefined;
      const turn = `${key} ${target} ${requester.network.join(' ')}`;
      return await singleFlight(waiting, turn, () => makeInTurn({ key, source, target }, requester));
    },
  };
}
