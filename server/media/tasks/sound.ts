import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  Decoder,
  Encoder,
  FF_ENCODER_AAC,
  FilterAPI,
  type Frame,
  type Packet,
} from 'node-av';
import { type SoundWord, sampleRate, soundWords } from '../prints/sound-words.ts';
import type { VideoContainer } from '../sniff.ts';
import { beat } from './heartbeat.ts';
import { openVideo, startOf } from './open-video.ts';

/** Target loudness of videos, usual on phones, in LUFS; and the maximum change in either direction. */
const target = -16;
const [mostDown, mostUp] = [-20, 12];
/** Quieter sound is silence with noise, which must not be amplified. */
const silence = -55;

export interface HeardSound {
  /** Its loudness as a whole, in LUFS. */
  loudness: number;
  /** The words for its print. */
  words: SoundWord[];
}

/** Undefined if there is no sound that can be decoded. */
export async function listen(path: string, container: VideoContainer): Promise<HeardSound | undefined> {
  let loudness: number | undefined;
  const mono = FilterAPI.create(`aresample=${sampleRate},aformat=sample_fmts=flt:channel_layouts=mono`);
  const samples: Buffer[] = [];
  await eachFrame(path, container, 'ebur128=metadata=1', async (frame) => {
    loudness = Number(frame.getMetadata().get('lavfi.r128.I') ?? loudness ?? Number.NEGATIVE_INFINITY);
    for (const one of await mono.processAll(frame)) {
      samples.push(one.toBuffer());
      one.free();
    }
  });
  mono.close();
  if (loudness === undefined) return undefined;
  const bytes = Buffer.concat(samples);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  return { loudness, words: soundWords(values) };
}

async function eachFrame(
  path: string,
  container: VideoContainer,
  filters: string,
  see: (frame: Frame) => Promise<void>,
): Promise<void> {
  const source = await openVideo(path, container);
  try {
    const stream = source.audio();
    const decoder = stream && (await Decoder.create(stream, { exitOnError: false }).catch(() => undefined));
    if (!decoder) return;
    const filter = FilterAPI.create(`${even},${filters}`, { allowReinit: true });
    for await (const frame of filter.frames(decoder.frames(source.packets(stream.index)))) {
      if (!frame) break;
      beat();
      await see(frame);
      frame.free();
    }
  } finally {
    await source.close();
  }
}

const even = 'aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo';

/** The receiver of the encoded sound; created before the first packet, since files need its parameters. */
export async function soundEncoder(): Promise<Encoder> {
  const encoder = await Encoder.create(FF_ENCODER_AAC, { bitrate: '128k' });
  encoder.setCodecFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  return encoder;
}

/** The whole sound, encoded with normalized loudness: three minutes are three megabytes. */
export async function encodeSound(
  path: string,
  container: VideoContainer,
  loudness: number,
  encoder: Encoder,
): Promise<Packet[]> {
  const source = await openVideo(path, container);
  try {
    const stream = source.audio();
    if (!stream) return [];
    const decoder = await Decoder.create(stream, { exitOnError: false });
    const filter = FilterAPI.create(
      [
        `asetpts=PTS-${startOf(source)}/TB`,
        'aresample=48000:async=1:first_pts=0',
        'aformat=channel_layouts=stereo',
        `volume=${gainFor(loudness).toFixed(2)}dB`,
        // One decibel of headroom for peaks that the encoder adds.
        'alimiter=limit=0.89:level=0:latency=1',
        'aformat=sample_fmts=fltp',
      ].join(','),
    );
    const packets: Packet[] = [];
    for await (const packet of encoder.packets(filter.frames(decoder.frames(source.packets(stream.index))))) {
      if (!packet) break;
      beat();
      packets.push(packet);
    }
    return packets;
  } finally {
    await source.close();
  }
}

function gainFor(loudness: number): number {
  return loudness > silence ? Math.min(mostUp, Math.max(mostDown, target - loudness)) : 0;
}
