import { readFile, writeFile } from 'node:fs/promises';
import {
  AV_LOG_ERROR,
  Decoder,
  Demuxer,
  Dictionary,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBOPUS,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
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
  container?: 'mp4' | 'mov' | 'matroska' | 'webm' | 'avi' | 'mpegts';
  /** More options of the container, such as `movflags`. */
  options?: Record<string, string>;
  /** What is drawn; FFmpeg's test picture moves and counts. */
  source?: string;
  pixelFormat?: string;
  /** Written into the file and its streams, as phones write place and device. */
  title?: string;
}

/** Makes a small real clip: a moving test picture and a tone. */
export async function makeClip(path: string, clip: Clip = {}): Promise<void> {
  const {
    seconds = 2,
    width = 270,
    height = 480,
    fps = 25,
    audio = true,
    video = true,
    container = 'mp4',
    options = {},
  } = clip;
  const isWebm = container === 'webm';
  const output = await Muxer.open(path, { format: container, options: options as never });
  const stages: Record<string, unknown[]> = {};
  const inputs: Record<string, Demuxer> = {};
  if (video) {
    const source = clip.source ?? `testsrc2=size=${width}x${height}:rate=${fps}`;
    inputs.video = await Demuxer.open(`${source},trim=duration=${seconds}`, { format: 'lavfi' });
    const decoder = await Decoder.create(inputs.video.video() as never);
    const filter = FilterAPI.create(`format=${clip.pixelFormat ?? 'yuv420p'}`);
    const encoder = isWebm
      ? await Encoder.create(FF_ENCODER_LIBVPX_VP9, {
          decoder,
          filter,
          bitrate: '500k',
          options: { deadline: 'realtime', 'cpu-used': 8 } as never,
        })
      : await Encoder.create(FF_ENCODER_LIBX264, {
          decoder,
          filter,
          options: { preset: 'ultrafast' } as never,
        });
    stages.video = [decoder, filter, encoder];
  }
  if (audio) {
    inputs.audio = await Demuxer.open(`sine=frequency=330:sample_rate=48000:duration=${seconds}`, {
      format: 'lavfi',
    });
    const decoder = await Decoder.create(inputs.audio.audio() as never);
    const filter = FilterAPI.create(
      isWebm
        ? 'aformat=sample_fmts=flt:channel_layouts=stereo'
        : 'aformat=sample_fmts=fltp:channel_layouts=stereo',
    );
    const encoder = await Encoder.create(isWebm ? FF_ENCODER_LIBOPUS : FF_ENCODER_AAC, {
      decoder,
      filter,
      bitrate: '64k',
    });
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

/** Marks an MP4 to be turned clockwise when shown, as a phone does: the matrix in its video track's header. */
export async function turnClip(path: string, degrees: 90 | 180 | 270): Promise<void> {
  const bytes = await readFile(path);
  const header = bytes.indexOf('tkhd');
  const matrix = header + 4 + 40;
  const turns = { 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const;
  const places = [0, 4, 12, 16] as const;
  for (const [index, place] of places.entries()) {
    bytes.writeInt32BE((turns[degrees][index] ?? 0) * 0x10000, matrix + place);
  }
  await writeFile(path, bytes);
}
