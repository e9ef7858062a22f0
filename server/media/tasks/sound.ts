import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_DISPOSITION_DEFAULT,
  AVMEDIA_TYPE_AUDIO,
  Decoder,
  type Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FilterAPI,
  type Packet,
  type Stream,
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

/** More tracks of one file are not tried. */
const mostTracks = 8;
/** A track that is silent for so long gives way to the next one, in seconds: to decode all of every track could take minutes. */
const patience = 30;

export interface HeardSound {
  /** The index of its stream. */
  track: number;
  /** Its loudness as a whole, in LUFS. */
  loudness: number;
  /** The words for its print. */
  words: SoundWord[];
}

/** The tracks with sound, the preferred one first: those that the file marks as its default, each in their order. */
export function soundTracks(source: Demuxer): Stream[] {
  const isDefault = (stream: Stream) => (stream.disposition & AV_DISPOSITION_DEFAULT) !== 0;
  const all = source.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  return [...all.filter(isDefault), ...all.filter((stream) => !isDefault(stream))].slice(0, mostTracks);
}

/** Undefined if FFmpeg knows the codec of a track by name at most, such as Apple's spatial sound. */
export async function soundDecoder(stream: Stream): Promise<Decoder | undefined> {
  return await Decoder.create(stream, { exitOnError: false }).catch(() => undefined);
}

/**
 * The first track that is more than silence, which several tracks must be from their first half minute on; otherwise the first one that can
 * be decoded. Undefined if none can be decoded.
 */
export async function listen(path: string, container: VideoContainer): Promise<HeardSound | undefined> {
  const tracks = await tracksOf(path, container);
  for (const track of tracks.length > 1 ? tracks : []) {
    const heard = await listenTo(path, container, { track, seconds: patience });
    if (heard && heard.loudness > silence) return heard;
  }
  for (const track of tracks) {
    const heard = await listenTo(path, container, { track, seconds: Number.POSITIVE_INFINITY });
    if (heard) return heard;
  }
  return undefined;
}

/** Whether a file has sound at all. A phone writes a track without content if its microphone was off. */
export async function hasSound(path: string, container: VideoContainer): Promise<boolean> {
  const tracks = new Set(await tracksOf(path, container));
  if (tracks.size === 0) return false;
  const source = await openVideo(path, container);
  try {
    for await (const packet of source.packets()) {
      if (!packet) break;
      beat();
      const isSound = tracks.has(packet.streamIndex);
      packet.free();
      if (isSound) return true;
    }
    return false;
  } finally {
    await source.close();
  }
}

async function tracksOf(path: string, container: VideoContainer): Promise<number[]> {
  const source = await openVideo(path, container);
  try {
    return soundTracks(source).map(({ index }) => index);
  } finally {
    await source.close();
  }
}

/** Hears a track to its end, unless its first `seconds` are silent. */
async function listenTo(
  path: string,
  container: VideoContainer,
  { track, seconds }: { track: number; seconds: number },
): Promise<HeardSound | undefined> {
  let loudness: number | undefined;
  let heardSamples = 0;
  const mono = FilterAPI.create(`aresample=${sampleRate},aformat=sample_fmts=flt:channel_layouts=mono`);
  const samples: Buffer[] = [];
  const source = await openVideo(path, container);
  try {
    const stream = source.streams[track];
    const decoder = stream && (await soundDecoder(stream));
    if (!decoder) return undefined;
    const filter = FilterAPI.create(`${even},ebur128=metadata=1`, { allowReinit: true });
    for await (const frame of filter.frames(decoder.frames(source.packets(track)))) {
      if (!frame) break;
      beat();
      loudness = Number(frame.getMetadata().get('lavfi.r128.I') ?? loudness ?? Number.NEGATIVE_INFINITY);
      for (const converted of await mono.processAll(frame)) {
        samples.push(converted.toBuffer());
        converted.free();
      }
      heardSamples += frame.nbSamples;
      frame.free();
      if (heardSamples >= seconds * evenRate && loudness <= silence) break;
    }
  } finally {
    mono.close();
    await source.close();
  }
  if (loudness === undefined) return undefined;
  const bytes = Buffer.concat(samples);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  return { track, loudness, words: soundWords(values) };
}

const evenRate = 48_000;
const even = `aresample=${evenRate},aformat=sample_fmts=fltp:channel_layouts=stereo`;

/** The receiver of the encoded sound; created before the first packet, since files need its parameters. */
export async function soundEncoder(): Promise<Encoder> {
  const encoder = await Encoder.create(FF_ENCODER_AAC, { bitrate: '128k' });
  encoder.setCodecFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  return encoder;
}

/** The whole heard sound, encoded with normalized loudness: three minutes are three megabytes. */
export async function encodeSound(
  path: string,
  container: VideoContainer,
  { track, loudness }: HeardSound,
  encoder: Encoder,
): Promise<Packet[]> {
  const source = await openVideo(path, container);
  try {
    const stream = source.streams[track];
    const decoder = stream && (await soundDecoder(stream));
    if (!decoder) return [];
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
    for await (const packet of encoder.packets(filter.frames(decoder.frames(source.packets(track))))) {
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
