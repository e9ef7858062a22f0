import { Encoder, FF_ENCODER_LIBX264, FilterAPI, type Frame, Muxer, type Packet } from 'node-av';
import type { Size } from './video-filters.ts';

/** The sound that all renditions share: encoded once. */
export interface Sound {
  encoder: Encoder;
  /** In order of time; complete before the first picture. */
  packets: Packet[];
}

export interface RenditionPlan {
  target: string;
  size: Size;
  /** Maximum bit rate in kilobits a second. */
  kilobits: number;
  /** Pictures between key frames, the same in each rendition of a video. */
  keyEvery: number;
}

export interface Rendition {
  /** Encodes the next picture, of any size; the caller still owns it. */
  add(frame: Frame): Promise<void>;
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Sound is written this far ahead of the pictures. */
const ahead = 0.5;

export function encoderOptions(kilobits: number, keyEvery: number) {
  return {
    bitrate: 0,
    maxRate: `${kilobits}k`,
    bufSize: `${2 * kilobits}k`,
    gopSize: keyEvery,
    options: { preset: 'veryfast', crf: 23, profile: 'high', sc_threshold: 0 } as never,
  } as const;
}

/**
 * One MP4 that is being written. The muxer does not get the input's streams, because it would copy the uploader's metadata: titles, dates,
 * places, and a rotation that has been applied already.
 */
export async function openRendition(
  { target, size, kilobits, keyEvery }: RenditionPlan,
  clock: FilterAPI,
  sound: Sound | undefined,
): Promise<Rendition> {
  const scale = FilterAPI.create(`scale=${size.width}:${size.height}`);
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    filter: clock,
    ...encoderOptions(kilobits, keyEvery),
  });
  const output = await Muxer.open(target, {
    format: 'mp4',
    options: { movflags: '+faststart', fflags: '+bitexact' } as never,
  });
  const pictures = output.addStream(encoder);
  const sounds = sound && output.addStream(sound.encoder);
  let next = 0;

  async function writeSound(until: number): Promise<void> {
    for (; sound && sounds !== undefined; next += 1) {
      const packet = sound.packets[next];
      if (!packet || secondsOf(packet) > until) return;
      await output.writePacket(packet, sounds);
    }
  }

  async function write(packets: Packet[]): Promise<void> {
    for (const packet of packets) {
      await writeSound(secondsOf(packet) + ahead);
      await output.writePacket(packet, pictures);
      packet.free();
    }
  }

  return {
    async add(frame) {
      for (const scaled of await scale.processAll(frame)) {
        await write(await encoder.encodeAll(scaled));
        scaled.free();
      }
    },
    async finish() {
      await write(await encoder.encodeAll(null));
      await writeSound(Number.POSITIVE_INFINITY);
    },
    async close() {
      await output.close();
      encoder.close();
      scale.close();
    },
  };
}

function secondsOf(packet: Packet): number {
  const { num, den } = packet.timeBase;
  return (Number(packet.dts) * num) / den;
}
