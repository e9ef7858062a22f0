import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AV_LOG_ERROR,
  Decoder,
  Demuxer,
  Dictionary,
  Encoder,
  FilterAPI,
  Log,
  Muxer,
  pipeline,
} from 'node-av';

Log.setLevel(AV_LOG_ERROR);

export interface Clip {
  seconds?: number;
  width?: number;
  height?: number;
  fps?: number;
  audio?: boolean;
  video?: boolean;
  /** FFmpeg's name of the container. */
  container?: 'mp4' | 'mov' | '3gp' | 'matroska' | 'webm' | 'avi' | 'mpegts' | 'flv' | 'vob' | 'ogg' | 'asf';
  /** More options of the container, such as `movflags`. */
  options?: Record<string, string>;
  /** FFmpeg's names of the encoders; as usual in the container where they are not given. */
  codec?: keyof typeof quick;
  /** Of the picture, such as `20M`; little where it is not given. */
  bitrate?: string;
  audioCodec?: 'aac' | 'libopus' | 'libmp3lame' | 'ac3' | 'pcm_s16le' | 'flac';
  /** What is drawn; FFmpeg's test picture moves and counts. */
  source?: string;
  /** What is heard; a tone where it is not given. */
  sound?: string;
  pixelFormat?: string;
  /** Of the sound: rate and layout. */
  sampleRate?: number;
  layout?: 'mono' | 'stereo' | '5.1';
  /** Written into the file and its streams, as phones write place and device. */
  title?: string;
}

/** Options that make each encoder quick. */
const quick = {
  libx264: { preset: 'ultrafast' },
  libx265: { preset: 'ultrafast', 'x265-params': 'log-level=error' },
  libsvtav1: { preset: '12', 'svtav1-params': 'lp=1' },
  'libvpx-vp9': { deadline: 'realtime', 'cpu-used': '8' },
  libvpx: { deadline: 'realtime', 'cpu-used': '8' },
  mpeg4: {},
  mpeg2video: {},
  mjpeg: {},
  prores_ks: {},
  h263: {},
  ffv1: {},
  libtheora: {},
  wmv2: {},
};
const sampleFormats = {
  aac: 'fltp',
  libopus: 'flt',
  libmp3lame: 'fltp',
  ac3: 'fltp',
  pcm_s16le: 's16',
  flac: 's16',
};

/** What this module says is part of each clip's name: another source makes other clips. */
const source = readFileSync(fileURLToPath(import.meta.url));
const kept = fileURLToPath(new URL('../node_modules/.cache/clips', import.meta.url));

/** Makes a small real clip: a moving test picture and a tone. What has been made once is copied from then on. */
export async function makeClip(path: string, clip: Clip = {}): Promise<void> {
  const name = createHash('sha256').update(source).update(JSON.stringify(clip)).digest('hex');
  const made = join(kept, name);
  if (!existsSync(made)) {
    await mkdir(kept, { recursive: true });
    // Several may make it at once: each puts a whole one into its place.
    const making = `${made}-${randomUUID()}`;
    await encodeClip(making, clip);
    await rename(making, made);
  }
  await copyFile(made, path);
}

async function encodeClip(path: string, clip: Clip): Promise<void> {
  const { seconds = 2, audio = true, video = true, container = 'mp4', options = {} } = clip;
  const output = await Muxer.open(path, { format: container, options: options as never });
  const stages: Record<string, unknown[]> = {};
  const inputs: Record<string, Demuxer> = {};
  if (video) {
    const { width = 270, height = 480, fps = 25 } = clip;
    const drawn = clip.source ?? `testsrc2=size=${width}x${height}:rate=${fps}`;
    inputs.video = await Demuxer.open(`${drawn},trim=end=${seconds}`, { format: 'lavfi' });
    const decoder = await Decoder.create(inputs.video.video() as never);
    const filter = FilterAPI.create(`format=${clip.pixelFormat ?? 'yuv420p'}`);
    const codec = clip.codec ?? (container === 'webm' ? 'libvpx-vp9' : 'libx264');
    const encoder = await Encoder.create(codec as never, {
      decoder,
      filter,
      ...(clip.bitrate ? { bitrate: clip.bitrate } : codec === 'libx264' ? {} : { bitrate: '500k' }),
      options: quick[codec] as never,
    });
    stages.video = [decoder, filter, encoder];
  }
  if (audio) {
    const { sampleRate = 48000, layout = 'stereo' } = clip;
    const sound = clip.sound ?? 'sine=frequency=330:sample_rate=48000';
    inputs.audio = await Demuxer.open(`${sound},atrim=end=${seconds}`, { format: 'lavfi' });
    const decoder = await Decoder.create(inputs.audio.audio() as never);
    const codec = clip.audioCodec ?? (container === 'webm' ? 'libopus' : 'aac');
    const filter = FilterAPI.create(
      `aresample=${sampleRate},aformat=sample_fmts=${sampleFormats[codec]}:channel_layouts=${layout}`,
    );
    const encoder = await Encoder.create(codec as never, { decoder, filter, bitrate: '64k' });
    stages.audio = [decoder, filter, encoder];
  }
  if (clip.title) {
    for (const input of Object.values(inputs)) {
      for (const stream of input.streams)
        stream.metadata = Dictionary.fromObject({ title: clip.title, handler_name: 'TestHandler' });
    }
  }
  await pipeline(inputs as never, stages as never, output).completion;
  await output.close();
  for (const input of Object.values(inputs)) await input.close();
}

/** Has the sound begin later than the picture, as it does where a microphone starts slowly; in a container that may be another. */
export async function delaySound(path: string, container: string, seconds: number): Promise<void> {
  const source = await Demuxer.open(path);
  const late = `${path}-late`;
  const output = await Muxer.open(late, { format: container });
  const indexes = source.streams.map((stream) => output.addStream(stream));
  for await (const packet of source.packets()) {
    if (!packet) break;
    if (packet.streamIndex === source.audio()?.index) {
      const by = BigInt(Math.round((seconds * packet.timeBase.den) / packet.timeBase.num));
      packet.pts += by;
      packet.dts += by;
    }
    await output.writePacket(packet, indexes[packet.streamIndex] ?? 0);
    packet.free();
  }
  await output.close();
  await source.close();
  await rename(late, path);
}

/** Has an MP4's edit lists leave out its beginning, as a phone does when somebody trims a video. */
export async function trimClip(path: string, seconds: number): Promise<void> {
  const bytes = await readFile(path);
  for (let track = bytes.indexOf('trak'); track !== -1; track = bytes.indexOf('trak', track + 4)) {
    const edit = bytes.indexOf('elst', track) + 12;
    const timescale = bytes.readUInt32BE(bytes.indexOf('mdhd', track) + 16);
    // The movie's own clock counts milliseconds in what FFmpeg writes.
    bytes.writeUInt32BE(bytes.readUInt32BE(edit) - seconds * 1000, edit);
    bytes.writeInt32BE(bytes.readInt32BE(edit + 4) + seconds * timescale, edit + 4);
  }
  await writeFile(path, bytes);
}

/** Marks an MP4 to be turned clockwise when shown, mirrored before that or not: the matrix in its video track's header. */
export async function turnClip(path: string, degrees: 0 | 90 | 180 | 270, mirrored = false): Promise<void> {
  const bytes = await readFile(path);
  const header = bytes.indexOf('tkhd');
  const matrix = header + 4 + 40;
  const turns = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const;
  const places = [0, 4, 12, 16] as const;
  for (const [index, place] of places.entries()) {
    const sign = mirrored && index < 2 ? -1 : 1;
    bytes.writeInt32BE(sign * (turns[degrees][index] ?? 0) * 0x10000, matrix + place);
  }
  await writeFile(path, bytes);
}

/** Has an MP4 say another shape of its pixels than its codec does. */
export async function reshapeClip(path: string, across: number, down: number): Promise<void> {
  const bytes = await readFile(path);
  const shape = bytes.indexOf('pasp') + 4;
  bytes.writeUInt32BE(across, shape);
  bytes.writeUInt32BE(down, shape + 4);
  await writeFile(path, bytes);
}
