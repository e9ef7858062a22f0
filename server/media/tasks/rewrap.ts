import { Decoder, type Demuxer, Dictionary, FilterAPI, Muxer, pipeline, type Stream } from 'node-av';
import sharp from 'sharp';
import { diskFault } from '../disk-fault.ts';
import type { VideoContainer } from '../sniff.ts';
import { openVideo, unreadable, videoStream } from './open-video.ts';
import { soundDecoder, soundTracks } from './sound.ts';
import { pictureFilters } from './video-filters.ts';

export interface RewrapInput {
  path: string;
  container: VideoContainer;
  target: string;
  /** Path for the frame at `atSecond`, as a PNG of this size. */
  thumbnail: string;
  width: number;
  height: number;
  atSecond: number;
}

export type RewrapOutput = Record<string, never>;

/** Copies picture and sound without encoding into a new MP4 with fast start; and extracts a frame. */
export async function rewrap({ path, container, target, ...frame }: RewrapInput): Promise<RewrapOutput> {
  const source = await openVideo(path, container);
  try {
    await copyStreams(source, target);
  } catch (error) {
    // A codec that MP4 does not support.
    throw diskFault(String(error)) ? error : unreadable();
  } finally {
    await source.close();
  }
  await takeFrame(target, frame);
  return {};
}

async function copyStreams(source: Demuxer, target: string): Promise<void> {
  const output = await Muxer.open(target, {
    format: 'mp4',
    options: { movflags: '+faststart', fflags: '+bitexact' } as never,
  });
  try {
    const streams = [videoStream(source), ...(await soundToCopy(source))];
    const indexes = new Map(
      streams.map((stream) => {
        // Titles and tool names of the uploader are not copied.
        stream.metadata = Dictionary.fromObject({});
        return [stream.index, output.addStream(stream)];
      }),
    );
    for await (const packet of source.packets()) {
      if (!packet) break;
      const index = indexes.get(packet.streamIndex);
      if (index !== undefined) await output.writePacket(packet, index);
      packet.free();
    }
  } finally {
    await output.close();
  }
}

/** The preferred track that can be decoded: a player could not play any other. */
async function soundToCopy(source: Demuxer): Promise<Stream[]> {
  for (const stream of soundTracks(source)) {
    const decoder = await soundDecoder(stream);
    decoder?.close();
    if (decoder) return [stream];
  }
  return [];
}

/** The frame at this many seconds, or the last one before, scaled to fill the size. */
async function takeFrame(
  video: string,
  { thumbnail, width, height, atSecond }: Pick<RewrapInput, 'thumbnail' | 'width' | 'height' | 'atSecond'>,
): Promise<void> {
  const demuxer = await openVideo(video, 'mov');
  try {
    const stream = videoStream(demuxer);
    const decoder = await Decoder.create(stream, { exitOnError: false });
    const size = `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height}`;
    const filter = FilterAPI.create(`${pictureFilters(stream)},${size},format=rgb24`);
    let pixels: Buffer | undefined;
    for await (const frame of pipeline(demuxer, decoder, filter)) {
      if (!frame) break;
      pixels = frame.toBuffer();
      const base = frame.timeBase;
      const at = (Number(frame.pts) * base.num) / base.den;
      frame.free();
      if (at >= atSecond) break;
    }
    if (!pixels) throw unreadable();
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(thumbnail);
  } finally {
    await demuxer.close();
  }
}
