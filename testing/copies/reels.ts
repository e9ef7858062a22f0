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
import sharp from 'sharp';
import { composeSound } from '#demo/clips/sound.ts';
import { sceneOf } from './works.ts';

type Random = (below: number) => number;

/*
 * Reels for measuring the detection of copies (docs/decisions/0070-copies-of-reels.md). Each is different, and the same for the
 * same random numbers.
 */
export const reelSize = { width: 216, height: 384 };
export const reelRate = 15;

export interface DrawnReel {
  /** RGB, frame by frame. */
  frames: Buffer[];
  seconds: number;
  /** Seed of its tune. */
  tune: number;
}

/** Some shots; in each the camera moves over a scene, and things move in front of it. */
export async function drawReel(random: Random, seconds = 5): Promise<DrawnReel> {
  const frames: Buffer[] = [];
  const count = Math.round(seconds * reelRate);
  while (frames.length < count) {
    const length = Math.min(count - frames.length, Math.round(reelRate * (1.5 + random(30) / 10)));
    frames.push(...(await drawShot(random, length)));
  }
  return { frames, seconds, tune: random(1_000_000) };
}

/** One place, filmed by a fixed camera, in which each time another person does something else. */
export async function drawStage(place: Random, acts: Random, seconds = 5): Promise<DrawnReel> {
  const frames = await drawShot(place, Math.round(seconds * reelRate), { camera: 0, acts });
  return { frames, seconds, tune: acts(1_000_000) };
}

async function drawShot(
  random: Random,
  length: number,
  { camera = 1, acts = random }: { camera?: number; acts?: Random } = {},
): Promise<Buffer[]> {
  const { width, height } = reelSize;
  const [wide, tall] = [Math.round(width * 1.3), Math.round(height * 1.3)];
  const scene = await sharp(await sceneOf(random, { width: wide, height: tall }))
    .raw()
    .toBuffer();
  const [fromX, fromY] = [random(wide - width), random(tall - height)];
  const [toX, toY] = [random(wide - width), random(tall - height)];
  const things = Array.from({ length: 3 }, () => ({
    x: acts(width),
    y: acts(height),
    radius: 12 + acts(28),
    across: (acts(200) - 100) / reelRate,
    down: (acts(200) - 100) / reelRate,
    colour: [acts(256), acts(256), acts(256)],
  }));
  return Array.from({ length }, (_, frame) => {
    // Like a hand-held camera, it comes to rest now and then.
    const way = camera * (0.5 - 0.5 * Math.cos((frame / reelRate) * 1.4));
    const left = Math.round(fromX + way * (toX - fromX));
    const top = Math.round(fromY + way * (toY - fromY));
    const pixels = Buffer.alloc(width * height * 3);
    for (let y = 0; y < height; y += 1) {
      const from = ((top + y) * wide + left) * 3;
      scene.copy(pixels, y * width * 3, from, from + width * 3);
    }
    for (const { x, y, radius, across, down, colour } of things) {
      const centre = [x + across * frame, y + down * frame];
      fillCircle(pixels, { x: bounced(centre[0], width), y: bounced(centre[1], height), radius, colour });
    }
    return pixels;
  });
}

/** A position that reverses at both ends. */
function bounced(position = 0, length: number): number {
  const place = Math.abs(position) % (2 * length);
  return place > length ? 2 * length - place : place;
}

function fillCircle(
  pixels: Buffer,
  { x, y, radius, colour }: { x: number; y: number; radius: number; colour: number[] },
): void {
  const { width, height } = reelSize;
  for (let row = Math.max(0, Math.floor(y - radius)); row < Math.min(height, y + radius); row += 1) {
    for (
      let column = Math.max(0, Math.floor(x - radius));
      column < Math.min(width, x + radius);
      column += 1
    ) {
      if ((row - y) ** 2 + (column - x) ** 2 > radius ** 2) continue;
      for (const [place, value] of colour.entries()) pixels[(row * width + column) * 3 + place] = value;
    }
  }
}

/** Changes of a reel that is published again as a new one. */
export interface ReelChange {
  /** FFmpeg's filters for picture and sound; `null` removes the sound. */
  picture?: string;
  sound?: string | null;
  /** Another tune replaces its own. */
  tune?: number;
  bitrate?: string;
  /** Start and end, in seconds. */
  cut?: [number, number];
}

export const reelChanges: Record<string, ReelChange> = {
  'saved again': { bitrate: '150k' },
  'half the size': { picture: 'scale=iw/2:ih/2' },
  'fewer pictures a second': { picture: 'fps=8' },
  mirrored: { picture: 'hflip' },
  'mirrored, without sound': { picture: 'hflip', sound: null },
  brighter: { picture: 'eq=brightness=0.12:contrast=1.15' },
  'other colours': { picture: 'hue=h=50:s=1.4' },
  'without colour': { picture: 'hue=s=0' },
  blurred: { picture: 'gblur=sigma=1.5' },
  'nine tenths of it': { picture: 'crop=iw*0.9:ih*0.9' },
  'three quarters of it': { picture: 'crop=iw*0.75:ih*0.75:iw*0.1:ih*0.2,scale=216:384' },
  'a square of it': { picture: 'crop=iw:iw' },
  'between bars': { picture: 'pad=iw:ih*1.4:0:(oh-ih)/2' },
  'with words on it': {
    picture:
      'drawbox=x=iw*0.15:y=ih*0.82:w=iw*0.7:h=ih*0.05:color=black:t=fill,drawbox=x=iw*0.2:y=ih*0.832:w=iw*0.6:h=ih*0.026:color=white:t=fill',
  },
  'with a logo on it': { picture: 'drawbox=x=iw*0.72:y=ih*0.05:w=iw*0.22:h=ih*0.11:color=orange:t=fill' },
  'without its first second': { cut: [1, 5] },
  'without its ends': { cut: [0.7, 4.3] },
  'a little faster': { picture: 'setpts=PTS/1.05', sound: 'atempo=1.05' },
  'a little slower': { picture: 'setpts=PTS/0.95', sound: 'atempo=0.95' },
  'with another sound': { tune: 77, picture: 'crop=iw*0.95:ih*0.95' },
};

/** As a WAV file. */
const headBytes = 44;

/** Encodes a reel as a phone or an app would. */
export async function saveReel(
  path: string,
  { frames, seconds, tune }: DrawnReel,
  change: ReelChange = {},
): Promise<void> {
  const { width, height } = reelSize;
  const [from, to] = change.cut ?? [0, seconds];
  const input = Buffer.concat(frames.slice(Math.round(from * reelRate), Math.round(to * reelRate)));
  const frameRate = { num: reelRate, den: 1 };
  const picture = await Demuxer.open({
    type: 'video',
    input,
    width,
    height,
    pixelFormat: AV_PIX_FMT_RGB24,
    frameRate,
  });
  const stream = picture.video();
  if (!stream) throw new Error('FFmpeg found no picture in raw frames');
  const inputs: Record<string, Demuxer> = { picture };
  const stages: Record<string, unknown[]> = {};
  const decoder = await Decoder.create(stream);
  const even = 'scale=trunc(iw/2)*2:trunc(ih/2)*2,format=yuv420p';
  const filter = FilterAPI.create(change.picture ? `${change.picture},${even}` : even);
  const options = { preset: 'ultrafast' } as never;
  const bitrate = change.bitrate ?? '800k';
  stages.picture = [
    decoder,
    filter,
    await Encoder.create(FF_ENCODER_LIBX264, { decoder, filter, bitrate, options }),
  ];
  if (change.sound !== null) {
    inputs.sound = await Demuxer.open(partOf(composeSound(seconds, change.tune ?? tune), [from, to]), {
      format: 'wav',
    });
    const heard = inputs.sound.audio();
    if (!heard) throw new Error('FFmpeg found no sound in a tune');
    const stereo = 'aformat=sample_fmts=fltp:channel_layouts=stereo';
    const filtered = FilterAPI.create(change.sound ? `${change.sound},${stereo}` : stereo);
    const sounds = await Decoder.create(heard);
    const encoder = await Encoder.create(FF_ENCODER_AAC, {
      decoder: sounds,
      filter: filtered,
      bitrate: '64k',
    });
    stages.sound = [sounds, filtered, encoder];
  }
  const output = await Muxer.open(path, { format: 'mp4' });
  try {
    await pipeline(inputs as never, stages as never, output).completion;
  } finally {
    await output.close();
    for (const one of Object.values(inputs)) await one.close();
  }
}

/** A part of a WAV file; readers accept a data size beyond the end of the file. */
function partOf(wav: Buffer, [from, to]: [number, number]): Buffer {
  const bytesASecond = wav.readUInt32LE(28);
  const at = (second: number) => headBytes + Math.round((second * bytesASecond) / 4) * 4;
  return Buffer.concat([wav.subarray(0, headBytes), wav.subarray(at(from), at(to))]);
}
