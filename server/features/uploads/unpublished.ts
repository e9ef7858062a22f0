import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { waitingOf } from '../stored-files/stored-files.ts';

/** The unpublished files of a person: their number and bytes. */
export interface Amount {
  files: number;
  bytes: number;
}

/** The quota of unpublished files of each person, by whichever endpoint they arrive (docs/decisions/0027-fair-media.md). */
export interface Unpublished {
  /** Reserves room for a file that is about to arrive, or refuses it. The result releases the reservation, once the file is registered or deleted. */
  enter(personId: string, coming: Amount): Promise<() => void>;
}

/** Files that are arriving are counted by the process that receives them; announced and arrived files are counted for all processes. */
export function openUnpublished(db: Kysely<Tables>, most: Amount): Unpublished {
  const arriving = new Map<string, Amount>();

  function count(personId: string, by: 1 | -1, { files, bytes }: Amount): void {
    const now = arriving.get(personId) ?? { files: 0, bytes: 0 };
    const then = { files: now.files + by * files, bytes: now.bytes + by * bytes };
    if (then.files === 0 && then.bytes === 0) arriving.delete(personId);
    else arriving.set(personId, then);
  }

  return {
    async enter(personId, coming) {
      count(personId, 1, coming);
      let isHere = true;
      const leave = () => {
        if (isHere) count(personId, -1, coming);
        isHere = false;
      };
      try {
        const waiting = await waitingOf(db, personId);
        const arrives = arriving.get(personId) ?? { files: 0, bytes: 0 };
        if (waiting.files + arrives.files > most.files)
          throw new Refusal('too_much_unpublished', { what: 'files', most: most.files });
        if (waiting.bytes + arrives.bytes > most.bytes) {
          const megabytes = Math.floor(most.bytes / 1024 / 1024);
          throw new Refusal('too_much_unpublished', { what: 'megabytes', most: megabytes });
        }
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
  };
}
