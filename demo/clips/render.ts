import {
  AV_PIX_FMT_RGB24,
  Decoder,
  Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FilterAPI,
  Muxer,
  pipeline,
} from 'node-av';
import { randomOf } from '../random.ts';
import { createCanvas, toBytes } from '../scenes/canvas.ts';
import { setUpScene } from '../scenes/scenes.ts';
import { clips } from './catalogue.ts';
import { composeSound } from './sound.ts';

/** Scenes are drawn small and scaled up smoothly: they consist of gradients and curves. */
const sizes = {
  portrait: { drawn: [216, 384], shown: [540, 960] },
  landscape: { drawn: [384, 216], shown: [960, 540] },
  square: { drawn: [288, 288], shown: [720, 720] },
} as const;
const fps = 24;

/** Renders the clip with this number and its music as an MP4 at `path`. */
export async function renderClip(index: number, path: string): Promise<void> {
  const clip = clips[index];
  if (!clip) throw new RangeError(`there is no demo clip ${index}`);
  const { drawn, shown } = sizes[clip.format];
  const [width, height] = drawn;
  const pixels = drawFrames(index, width, height, Math.round(clip.seconds * fps));

  const picture = await Demuxer.open({
    type: 'video',
    input: pixels,
    width,
    height,
    pixelFormat: AV_PIX_FMT_RGB24,
    frameRate: { num: fps, den: 1 },
  });
  const sound = await Demuxer.open(composeSound(clip.seconds, index + 1), { format: 'wav' });
  const output = await Muxer.open(path, { format: 'mp4' });
  try {
    const videoDecoder = await Decoder.create(required(picture.video()));
    const videoFilter = FilterAPI.create(`scale=${shown[0]}:${shown[1]}:flags=bicubic,format=yuv420p`);
    const videoEncoder = await Encoder.create(FF_ENCODER_LIBX264, {
      decoder: videoDecoder,
      filter: videoFilter,
      bitrate: '2500k',
      options: { preset: 'superfast' } as never,
    });
    const audioDecoder = await Decoder.create(required(sound.audio()));
    const audioFilter = FilterAPI.create('aformat=sample_fmts=fltp:channel_layouts=stereo');
    const audioEncoder = await Encoder.create(FF_ENCODER_AAC, {
      decoder: audioDecoder,
      filter: audioFilter,
      bitrate: '128k',
    });
    await pipeline(
      { video: picture, audio: sound },
      { video: [videoDecoder, videoFilter, videoEncoder], audio: [audioDecoder, audioFilter, audioEncoder] },
      output,
    ).completion;
  } finally {
    await output.close();
    await picture.close();
    await sound.close();
  }
}

function drawFrames(index: number, width: number, height: number, frames: number): Buffer {
  const clip = clips[index];
  if (!clip) throw new RangeError(`there is no demo clip ${index}`);
  const draw = setUpScene(clip.scene, clip.palette, randomOf(index * 101 + 7));
  const canvas = createCanvas(width, height);
  const size = width * height * 3;
  const pixels = Buffer.alloc(size * frames);
  for (let frame = 0; frame < frames; frame += 1) {
    draw(canvas, frame / fps);
    toBytes(canvas, pixels.subarray(frame * size, (frame + 1) * size), frame + 1);
  }
  return pixels;
}

function required<T>(stream: T | undefined): T {
  if (!stream) throw new Error('FFmpeg found no stream in raw material');
  return stream;
}
