import { join } from 'node:path';
import {
  Decoder,
  type Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FilterAPI,
  Muxer,
  pipeline,
} from 'node-av';
import type { VideoContainer } from '../sniff.ts';
import { openVideo, unreadable, videoStream } from './open-video.ts';
import { makePictures, type Pictures } from './poster.ts';
import { pictureFilters } from './video-filters.ts';

export interface TranscodeInput {
  path: string;
  container: VideoContainer;
  folder: string;
  /** Names of what is made in `folder`. */
  files: { video: string; poster: string; tile: string };
  maxSeconds: number;
}

export interface TranscodeOutput extends Pictures {
  /** Of the rendition, in pixels. */
  width: number;
  height: number;
  seconds: number;
}

/** Makes the rendition everyone can play: H.264/AAC MP4 up to 720p, upright, fast start; and its pictures. */
export async function transcode({
  path,
  container,
  folder,
  files,
  maxSeconds,
}: TranscodeInput): Promise<TranscodeOutput> {
  const target = join(folder, files.video);
  const source = await openVideo(path, container);
  try {
    await encode(source, target, maxSeconds);
  } finally {
    await source.close();
  }
  const made = await openVideo(target, 'mov');
  try {
    const { width, height } = videoStream(made).codecpar;
    const pictures = await makePictures(target, join(folder, files.poster), join(folder, files.tile));
    return { width, height, seconds: made.duration, ...pictures };
  } finally {
    await made.close();
  }
}

async function encode(source: Demuxer, target: string, maxSeconds: number): Promise<void> {
  const picture = videoStream(source);
  const decoder = await Decoder.create(picture, { exitOnError: false });
  const filter = FilterAPI.create(pictureFilters(picture), { allowReinit: true });
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter,
    maxRate: '3M',
    bufSize: '6M',
    gopSize: 60,
    options: { preset: 'veryfast', crf: 23, profile: 'high', forced_idr: 1 } as never,
  });
  const output = await Muxer.open(target, {
    format: 'mp4',
    options: { movflags: '+faststart', fflags: '+bitexact' } as never,
  });
  try {
    const sound = source.audio();
    const audioDecoder = sound
      ? await Decoder.create(sound, { exitOnError: false }).catch(() => undefined)
      : undefined;
    if (!sound || !audioDecoder) {
      await pipeline(source, decoder, filter, encoder, output).completion;
      return;
    }
    const audioFilter = FilterAPI.create(
      'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo',
    );
    const audioEncoder = await Encoder.create(FF_ENCODER_AAC, {
      decoder: audioDecoder,
      filter: audioFilter,
      bitrate: '128k',
    });
    await pipeline(
      source,
      { video: [decoder, filter, encoder], audio: [audioDecoder, audioFilter, audioEncoder] },
      output,
    ).completion;
  } catch (error) {
    throw maxSeconds > 0 && error instanceof Error && /invalid data/i.test(error.message)
      ? unreadable()
      : error;
  } finally {
    await output.close();
  }
}
