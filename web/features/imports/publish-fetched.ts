import { addReel } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import type { ReelDraft, SentReel } from '../upload/form/use-send-reel.ts';
import type { Fetched } from './use-fetch-link.ts';

/** Publishes an imported video with its source, after the person has confirmed the rights. */
export async function publishFetched(
  { fileUrl, fileName, thumbnailUrl, sourceUrl, duplicate }: Fetched,
  draft: ReelDraft,
  who: { userId?: string; username?: string },
): Promise<SentReel> {
  if (!fileName) throw new Error('what was fetched without a login is not published');
  const video = { videourl: fileUrl, videoKey: fileName, thumbnillurl: thumbnailUrl, sourceUrl };
  const { data } = await call(addReel, { body: { ...draft, ...who, ...video, isMine: true } });
  return { reel: data, duplicate };
}
