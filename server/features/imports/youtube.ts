import type { YT } from 'youtubei.js';
import type { FoundVideo } from './extractor.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

/** YouTube clients that get plain addresses, which can be read without running scripts of the site. */
const players = ['ANDROID_VR', 'VISIONOS', 'ANDROID', 'IOS'] as const;

/** The best file of a YouTube video that holds both picture and sound. */
export async function findOnYouTube(fetch: GuardedFetch, id: string): Promise<FoundVideo> {
  // Loaded with the first link, because the library is large.
  const { Innertube, Log } = await import('youtubei.js');
  Log.setLevel(Log.Level.NONE);
  const youtube = await Innertube.create({
    fetch: fetch as typeof globalThis.fetch,
    retrieve_player: false,
    retrieve_innertube_config: false,
    enable_session_cache: false,
  });
  const reasons: string[] = [];
  for (const client of players) {
    try {
      return fileOf(await youtube.getBasicInfo(id, { client }));
    } catch (error) {
      // YouTube may no longer serve this client, or not all videos to it. The next client may get more.
      reasons.push(`${client}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new Error(`YouTube: ${reasons.join('; ')}`);
}

function fileOf({ basic_info, playability_status, streaming_data }: YT.VideoInfo): FoundVideo {
  if (playability_status?.status !== 'OK' || basic_info.is_live)
    throw new Error(playability_status?.reason || 'it cannot be played');
  const [file] = (streaming_data?.formats ?? [])
    .filter((format) => format.url && format.has_audio && format.has_video)
    .sort((format, other) => (other.height ?? 0) - (format.height ?? 0));
  if (!file?.url) throw new Error('no plain address');
  return { media: file.url, title: basic_info.title ?? '', seconds: basic_info.duration };
}
