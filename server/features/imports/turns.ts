import { Refusal } from '../../platform/refusal.ts';

/** How many imports the server makes at once: each holds a connection, disk and a decoder. */
const atOnce = 4;

/** Lets each person fetch one video at a time, and all people together a few. */
export function createTurns() {
  const fetching = new Set<string>();
  return async <T>(personId: string, work: () => Promise<T>): Promise<T> => {
    if (fetching.has(personId))
      throw new Refusal('import_busy', 'Your last link is still being fetched. Please wait for it.', 'link');
    if (fetching.size >= atOnce)
      throw new Refusal(
        'import_busy',
        'Many links are being fetched right now. Please try again in a minute.',
        'link',
      );
    fetching.add(personId);
    try {
      return await work();
    } finally {
      fetching.delete(personId);
    }
  };
}
export type Turns = ReturnType<typeof createTurns>;
