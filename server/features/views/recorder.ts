import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { recordViews, type SeenReel, type ViewAnswer } from './views.ts';

/** Views wait this long for company, in milliseconds. */
const gatherFor = 5;
const batchAtMost = 1000;

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
  db: Kysely<Tables>,
  timeZone: string,
): (view: SeenReel) => Promise<ViewAnswer> {
  const waiting: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherFor));
      const batch = waiting.splice(0, batchAtMost);
      try {
        const answers = await recordViews(
          db,
          batch.map((one) => one.view),
          timeZone,
        );
        batch.forEach((one, index) => {
          one.resolve(answers[index]);
        });
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    writing = false;
  }

  return (view) =>
    new Promise((resolve, reject) => {
      waiting.push({ view, resolve, reject });
      if (!writing) void write();
    });
}
