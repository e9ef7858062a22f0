import type { Context } from '#server/platform/context.ts';
import { MonthSettled } from '../earnings/months.ts';
import { recordViews, type SeenReel, type ViewAnswer } from './views.ts';

/** Views wait this long for company, in milliseconds, or until a batch is full. */
const gatherFor = 5;
const batchAtMost = 2000;
/** So many batches are written at once, each of its own reels: none waits for another's locks. */
const lanes = 2;

/** How a batch went: how many views, how long it took, and whether none of it was written. */
export interface WrittenBatch {
  views: number;
  seconds: number;
  failed: boolean;
}

interface Waiting {
  view: SeenReel;
  resolve: (answer: ViewAnswer) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers views that arrive together and writes each gathering as one transaction; a view is answered only when it is
 * written. While one batch is being written the next one gathers: the busier it gets, the larger the batches.
 */
export function createViewRecorder(
  context: Context<'db' | 'clock' | 'config'>,
  note: (batch: WrittenBatch) => void = () => undefined,
): (view: SeenReel) => Promise<ViewAnswer> {
  /** Views of the last moments of a month that was withdrawn meanwhile belong to the month in which they are written. */
  async function record(views: SeenReel[]): Promise<ViewAnswer[]> {
    try {
      return await recordViews(context, views);
    } catch (error) {
      if (!(error instanceof MonthSettled)) throw error;
      const at = context.clock();
      return await recordViews(
        context,
        views.map((view) => ({ ...view, at })),
      );
    }
  }

  const recording = Array.from({ length: lanes }, () => openLane(record, note));
  return (view) =>
    recording[laneOf(view.reelId)]?.(view) ?? Promise.reject(new Error('there is no such lane'));
}

/** By the end of the id, which is drawn by lot. */
const laneOf = (reelId: string) => (Number.parseInt(reelId.slice(-4), 16) || 0) % lanes;

/** Gathers views, and writes one batch after the other. */
function openLane(
  record: (views: SeenReel[]) => Promise<ViewAnswer[]>,
  note: (batch: WrittenBatch) => void,
): (view: SeenReel) => Promise<ViewAnswer> {
  const waiting: Waiting[] = [];
  let writing = false;
  let beFull: () => void = () => undefined;

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      beFull = resolve;
      if (waiting.length >= batchAtMost) resolve();
      else setTimeout(resolve, gatherFor);
    });
  }

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      await gather();
      const batch = waiting.splice(0, batchAtMost);
      const started = performance.now();
      let failed = false;
      try {
        const answers = await record(batch.map((one) => one.view));
        batch.forEach((one, index) => {
          one.resolve(answers[index]);
        });
      } catch (error) {
        failed = true;
        for (const one of batch) one.reject(error);
      }
      note({ views: batch.length, seconds: (performance.now() - started) / 1000, failed });
    }
    writing = false;
  }

  return (view) =>
    new Promise((resolve, reject) => {
      waiting.push({ view, resolve, reject });
      if (!writing) void write();
      else if (waiting.length >= batchAtMost) beFull();
    });
}
