import { join } from 'node:path';
import {
  Decoder,
  type Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FilterAPI,
  Muxer,
  type Packet,
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
}: TranscodeInput): Promise<TranscodeOutput> {
  const target = join(folder, files.video);
  const source = await openVideo(path, container);
  try {
    await encode(source, target);
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

/**
 * The output's streams are told nothing of the input's: what a muxer copies along by itself (titles, dates, places, the
 * turn that is done already) would be the uploader's.
 */
async function encode(source: Demuxer, target: string): Promise<void> {
  const output = await Muxer.open(target, {
    format: 'mp4',
    options: { movflags: '+faststart', fflags: '+bitexact' } as never,
  });
  try {
    const sound = await soundStages(source);
    const stages = sound
      ? { video: await pictureStages(source), audio: sound }
      : { video: await pictureStages(source) };
    const inputs = sound ? { video: source, audio: source } : { video: source };
    const packets = pipeline(inputs as never, stages as never) as unknown as Record<
      string,
      AsyncIterable<Packet | null>
    >;
    const indexes = Object.values(stages).map(([, , encoder]) => output.addStream(encoder));
    await Promise.all(Object.values(packets).map((stream, at) => write(stream, output, indexes[at] ?? 0)));
  } catch (error) {
    throw error instanceof Error && /invalid data/i.test(error.message) ? unreadable() : error;
  } finally {
    await output.close();
  }
}

async function pictureStages(source: Demuxer): Promise<[Decoder, FilterAPI, Encoder]> {
  const stream = videoStream(source);
  const decoder = await Decoder.create(stream, { exitOnError: false });
  const filter = FilterAPI.create(pictureFilters(stream), { allowReinit: true });
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter,
    bitrate: 0,
    maxRate: '3M',
    bufSize: '6M',
    gopSize: 60,
    options: { preset: 'veryfast', crf: 23, profile: 'high' } as never,
  });
  return [decoder, filter, encoder];
}

/** Undefined where there is no sound, or none that anything can decode: the picture is worth showing without. */
async function soundStages(source: Demuxer): Promise<[Decoder, FilterAPI, Encoder] | undefined> {
  const stream = source.audio();
  const decoder = stream && (await Decoder.create(stream, { exitOnError: false }).catch(() => undefined));
  if (!decoder) return undefined;
  const filter = FilterAPI.create(
    'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo',
  );
  const encoder = await Encoder.create(FF_ENCODER_AAC, { decoder, filter, bitrate: '128k' });
  return [decoder, filter, encoder];
}

async function write(packets: AsyncIterable<Packet | null>, output: Muxer, index: number): Promise<void> {
  for await (const packet of packets) {
    await output.writePacket(packet, index);
    packet?.free();
  }
}
