import type { Context } from '#server/platform/context.ts';
import { createFairQueue } from '#server/platform/fair-queue.ts';
import { type LaneFinder, openLaneFinder } from './lanes.ts';
import { recordShowings, type SeenReel, type ViewAnswer, withoutHidden } from './views.ts';
import { recordWatched, type WatchedReel } from './watched.ts';

/** A batch is written after this many milliseconds, or when it is full. */
const collectFor = 5;
const maxBatch = 2000;
/** Number of batches written in parallel. */
const writers = 4;

/** Result of a batch: its size, its duration, and whether it failed. */
export interface WrittenBatch {
  views: number;
  seconds: number;
  failed: boolean;
}

type OnBatch = (batch: WrittenBatch) => void;

/**
 * Collects views that arrive at about the same time and writes each batch as one transaction. A view is answered after it is written. While
 * a batch is being written the next one is collected, so batches grow with the load. Recorders of one process share what finds the lanes.
 */
export function createViewRecorder(
  context: Context<'db' | 'config'>,
  note: OnBatch = () => undefined,
  laneOf = openLaneFinder(context),
): (view: SeenReel) => Promise<ViewAnswer> {
  return openLanes(laneOf, note, async (views) => {
    const shown = await withoutHidden(context, views);
    const answers = await recordShowings(context, shown);
    const answerOf = new Map(shown.map((view, index) => [view, answers[index]]));
    return views.map((view) => answerOf.get(view));
  });
}

/** The same for watched views. Returns whether the view counts. */
export function createWatchRecorder(
  context: Context<'db' | 'config'>,
  note: OnBatch = () => undefined,
  laneOf = openLaneFinder(context),
): (report: WatchedReel) => Promise<boolean> {
  return openLanes(laneOf, note, (reports) => recordWatched(context, reports));
}

interface Waiting<T, A> {
  view: T;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

function openLanes<T extends { reelId: string }, A>(
  laneOf: LaneFinder,
  note: OnBatch,
  record: (views: T[]) => Promise<A[]>,
): (view: T) => Promise<A> {
  const queue = createFairQueue({ atOnce: writers });
  const lanes = new Map<string, (view: T) => Promise<A>>();
  function openLane(name: string) {
    const lane = collectBatches(() => queue.enter(name), record, note);
    lanes.set(name, lane);
    return lane;
  }
  return async (view) => {
    const name = await laneOf(view.reelId);
    return await (lanes.get(name) ?? openLane(name))(view);
  };
}

/** Collects views and writes one batch after the other, each when it is its turn (`enter`). */
function collectBatches<T, A>(
  enter: () => Promise<() => void>,
  record: (views: T[]) => Promise<A[]>,
  note: OnBatch,
): (view: T) => Promise<A> {
  const waiting: Waiting<T, A>[] = [];
  let writing = false;
  let startBatch: () => void = () => undefined;

  function collect(): Promise<void> {
    return new Promise((resolve) => {
      startBatch = resolve;
      if (waiting.length >= maxBatch) resolve();
      else setTimeout(resolve, collectFor);
    });
  }

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      await collect();
      const leave = await enter();
      const batch = waiting.splice(0, maxBatch);
      const started = performance.now();
      let failed = false;
      try {
        const answers = await record(batch.map(({ view }) => view));
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as A);
        });
      } catch (error) {
        failed = true;
        for (const { reject } of batch) reject(error);
      }
      leave();
      note({ views: batch.length, seconds: (performance.now() - started) / 1000, failed });
    }
    writing = false;
  }

  return (view) =>
    new Promise((resolve, reject) => {
      waiting.push({ view, resolve, reject });
      if (!writing) void write();
      else if (waiting.length >= maxBatch) startBatch();
    });
}
