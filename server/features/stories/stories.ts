import type { Kysely } from 'kysely';
import { monthOf } from '../../platform/clock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { addToMonths } from '../earnings/months.ts';
import { takePhoto } from '../media/photos.ts';
import { noteFirstPublication } from '../media/uploads.ts';

/** Makes a story of an uploaded photo, public at once; returns its id. */
export async function publishStory(
  db: Kysely<Tables>,
  creatorId: string,
  form: { fileName: string; statusText: string },
  now: Date,
  timeZone: string,
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const photo = await takePhoto(trx, form.fileName, creatorId, now);
    if (!photo) {
      throw new Refusal(
        'upload_unknown',
        'This photo has not been uploaded; please upload it first.',
        'fileName',
      );
    }
    const { key, sha256, placeholder, width, height, widths } = photo;
    const duplicate = !(await noteFirstPublication(trx, sha256, creatorId, now));
    const id = newId(now);
    await trx
      .insertInto('stories')
      .values({
        id,
        creator_id: creatorId,
        media_key: key,
        status_text: form.statusText,
        sha256,
        duplicate,
        placeholder,
        width,
        height,
        widths,
        published_at: now,
      })
      .execute();
    if (!duplicate) await addToMonths(trx, [{ creatorId, month: monthOf(now, timeZone), stories: 1 }]);
    return id;
  });
}
