import type { Context } from '#server/platform/context.ts';
import { recordShowings, type SeenReel, type ViewAnswer, withoutHidden } from './views.ts';
import { recordWatched, type WatchedReel } from './watched.ts';

/** A batch is written after this many milliseconds, or when it is full. */
const collectFor = 5;
const maxBatch = 2000;
/** Number of batches written in parallel. Each has its own reels, whose rows they lock most. */
const lanes = 2;

/** Result of a batch: its size, its duration, and whether it failed. */
export interface WrittenBatch {
  views: number;
  seconds: number;
  failed: boolean;
}

type OnBatch = (batch: WrittenBatch) => void;

/**
 * Collects views that arrive at about the same time and writes each batch as one transaction. A view is answered after it is written. While
 * a batch is being written the next one is collected, so batches grow with the load.
 */
export function createViewRecorder(
  context: Context<'db' | 'config'>,
  note: OnBatch = () => undefined,
): (view: SeenReel) => Promise<ViewAnswer> {
  return openLanes(async (views) => {
    const shown = await withoutHidden(context, views);
    const answers = await recordShowings(context, shown);
    const answerOf = new Map(shown.map((view, index) => [view, answers[index]]));
    return views.map((view) => answerOf.get(view));
  }, note);
}

/** The same for watched views. Returns whether the view counts. */
export function createWatchRecorder(
  context: Context<'db' | 'config'>,
  note: OnBatch = () => undefined,
): (report: WatchedReel) => Promise<boolean> {
  return openLanes((reports) => recordWatched(context, reports), note);
}

interface Waiting<T, A> {
  view: T;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

function openLanes<T extends { reelId: string }, A>(
  record: (views: T[]) => Promise<A[]>,
  note: OnBatch,
): (view: T) => Promise<A> {
  const recording = Array.from({ length: lanes }, () => openLane(record, note));
  return (view) =>
    recording[laneOf(view.reelId)]?.(view) ?? Promise.reject(new Error('there is no such lane'));
}

/** The lane of a reel, by the random end of its id. */
const laneOf = (reelId: string) => (Number.parseInt(reelId.slice(-4), 16) || 0) % lanes;

/** Collects views and writes one batch after the other. */
function openLane<T, A>(record: (views: T[]) => Promise<A[]>, note: OnBatch): (view: T) => Promise<A> {
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
