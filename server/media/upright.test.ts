import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoder, FilterAPI, pipeline } from 'node-av';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Clip, makeClip, reshapeClip, turnClip } from '#testing/fixtures/clips.ts';
import { someOf } from '#testing/share.ts';
import { encodePhoto } from './encode-photo.ts';
import { encodeVideo } from './encode-video.ts';
import { inspectVideo } from './inspect-video.ts';
import { openVideo, videoStream } from './tasks/open-video.ts';

let folder: string;
let out: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-upright-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  out = await mkdtemp(join(folder, 'out-'));
});

const made = async (clip: Clip) => {
  const path = join(await mkdtemp(join(folder, 'clip-')), `clip.${clip.container ?? 'mp4'}`);
  await makeClip(path, { audio: false, seconds: 1, fps: 10, ...clip });
  return path;
};

/** The first picture of one of our videos as displayed by a player, and the colour parameters of the file. */
async function shown(path: string) {
  const demuxer = await openVideo(path, 'mov');
  try {
    const stream = videoStream(demuxer);
    const { colorSpace, colorPrimaries, colorTrc, colorRange } = stream.codecpar;
    const filter = FilterAPI.create('format=rgb24');
    for await (const frame of pipeline(demuxer, await Decoder.create(stream), filter)) {
      if (!frame) break;
      const { width, height } = frame;
      const pixels = frame.toBuffer();
      frame.free();
      const at = (across: number, down: number) => {
        const place = (Math.floor(down * height) * width + Math.floor(across * width)) * 3;
        return [...pixels.subarray(place, place + 3)] as [number, number, number];
      };
      return { at, tags: [colorSpace, colorPrimaries, colorTrc, colorRange].map(Number) };
    }
  } finally {
    await demuxer.close();
  }
  throw new Error('there is no picture');
}

describe('the pixel aspect ratio of the container has priority over the one of the codec', () => {
  it('for H.264 whose container has square pixels', async () => {
    const source = await made({ source: 'testsrc2=size=320x240:rate=10,setsar=1/2' });
    await reshapeClip(source, 1, 1);
    expect(await encodeVideo(source, out)).toMatchObject({ width: 320, height: 240 });
  });

  it('for VP9, which has none itself', async () => {
    const source = await made({ codec: 'libvpx-vp9', source: 'testsrc2=size=200x160:rate=10,setsar=64/45' });
    expect(await encodeVideo(source, out)).toMatchObject({ width: 284, height: 160 });
  });

  it('except unrealistic ones', async () => {
    const source = await made({ source: 'testsrc2=size=320x240:rate=10,setsar=2/1' });
    await reshapeClip(source, 1, 1000);
    expect(await encodeVideo(source, out)).toMatchObject({ width: 640, height: 240 });
  });
});

describe('a mirrored clip', () => {
  // Red, lime, and blue below: without mirroring it would look the same upright.
  const upright =
    'color=blue:size=320x240:rate=10,drawbox=0:0:160:120:red:fill,drawbox=160:0:160:120:lime:fill';
  /** The picture to be stored so that, mirrored and then rotated clockwise, it is upright. */
  const stored = { 0: 'hflip', 90: 'transpose=cclock,hflip', 180: 'vflip', 270: 'transpose=clock,hflip' };

  it.each(someOf([0, 90, 180, 270] as const, 1))('and rotated by %i° is upright', async (degrees) => {
    const source = await made({ source: `${upright},${stored[degrees]}` });
    await turnClip(source, degrees, true);
    expect(await encodeVideo(source, out)).toMatchObject({ width: 320, height: 240 });
    const { at } = await shown(join(out, 'video.mp4'));
    const name = ([red, green, blue]: number[]) =>
      ['red', 'lime', 'blue'][[red, green, blue].indexOf(Math.max(red ?? 0, green ?? 0, blue ?? 0))];
    expect([at(0.2, 0.2), at(0.8, 0.2), at(0.2, 0.8), at(0.8, 0.8)].map(name)).toEqual([
      'red',
      'lime',
      'blue',
      'blue',
    ]);
  });
});

describe('each rendition has colour parameters, and its colours match the original', () => {
  const colour = [60, 150, 90] as const;
  const drawn = (size: string, filters: string) =>
    `color=0x3c965a:size=${size}:rate=10,format=gbrp,${filters}`;
  const unsaid = 'setparams=range=tv:colorspace=unknown:color_primaries=unknown:color_trc=unknown';

  const sources: [string, Clip][] = [
    [
      'of HD that says nothing',
      { source: drawn('1280x720', `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,${unsaid}`) },
    ],
    [
      'of a portrait of a phone that says nothing',
      { source: drawn('480x854', `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,${unsaid}`) },
    ],
    [
      'of standard definition that says nothing',
      { source: drawn('640x480', `scale=out_color_matrix=bt601:out_range=tv,format=yuv420p,${unsaid}`) },
    ],
    [
      'of standard definition that says it is BT.601',
      {
        source: drawn(
          '640x480',
          'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p,setparams=range=tv:colorspace=smpte170m:color_primaries=bt709:color_trc=smpte170m',
        ),
      },
    ],
    [
      'of full range',
      {
        source: drawn('640x480', 'scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'),
        pixelFormat: 'yuvj420p',
        codec: 'mjpeg',
        container: 'mov',
      },
    ],
    [
      'of BT.2020 without HDR',
      {
        source: drawn(
          '1280x720',
          'setparams=range=pc:colorspace=gbr:color_primaries=bt709:color_trc=bt709,zscale=p=bt2020:t=bt709:m=bt2020nc:r=tv,format=yuv420p10le',
        ),
        pixelFormat: 'yuv420p10le',
        codec: 'libx265',
      },
    ],
    [
      'of Display P3',
      {
        source: drawn(
          '1280x720',
          'setparams=range=pc:colorspace=gbr:color_primaries=bt709:color_trc=bt709,zscale=p=smpte432:t=bt709:m=bt709:r=tv,format=yuv420p',
        ),
      },
    ],
    [
      'of pictures in RGB',
      { source: drawn('640x480', 'format=gbrp'), pixelFormat: 'bgr0', codec: 'ffv1', container: 'matroska' },
    ],
  ];
  it.each(someOf(sources, 2))('%s', async (_what, clip) => {
    await encodeVideo(await made(clip), out);
    const files = (await readdir(out)).filter((name) => name.endsWith('.mp4'));
    expect(files).toContain('360.mp4');
    for (const file of files) {
      const { at, tags } = await shown(join(out, file));
      // BT.709 for matrix, primaries and transfer, in limited range.
      expect({ file, tags }).toEqual({ file, tags: [1, 1, 1, 1] });
      for (const [index, value] of at(0.5, 0.5).entries())
        expect(Math.abs(value - (colour[index] ?? 0))).toBeLessThanOrEqual(6);
    }
  });
});

describe('a panorama stays readable', () => {
  it('as a video', async () => {
    const source = await made({ width: 5120, height: 256, seconds: 0.4, fps: 5 });
    const { width, height } = await encodeVideo(source, out);
    expect({ width, height }).toEqual({ width: 4096, height: 204 });
    expect((await inspectVideo(join(out, 'video.mp4'))).width).toBe(4096);
  });

  const sizes: [number, number, { width: number; height: number }][] = [
    [20_000, 1000, { width: 9107, height: 455 }],
    [1000, 20_000, { width: 455, height: 9107 }],
    [6000, 2000, { width: 2160, height: 720 }],
    [4000, 3000, { width: 1440, height: 1080 }],
  ];
  it.each(someOf(sizes, 1))('as a photo of %i × %i', async (width, height, expected) => {
    const path = join(out, 'panorama.jpg');
    await sharp({ create: { width, height, channels: 3, background: '#865' } }).toFile(path);
    const photos = join(out, 'photos');
    await mkdir(photos);
    const { widths, ...photo } = await encodePhoto(path, photos);
    expect(photo).toMatchObject(expected);
    expect(widths.at(-1)).toBe(expected.width);
    for (const [index, step] of widths.entries())
      expect(step).toBeLessThanOrEqual(2 * (widths[index - 1] ?? step));
    expect(await sharp(join(photos, 'photo.jpg')).metadata()).toMatchObject(expected);
  });
});
