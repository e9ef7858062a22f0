import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Clip, makeClip, turnClip } from '#testing/fixtures/clips.ts';
import { childrenOf, starveChildren } from '#testing/servers/processes.ts';
import { someOf } from '#testing/share.ts';
import { isProcessAlive } from '../platform/process-alive.ts';
import { endSpareChildren } from './children.ts';
import { encodePhoto } from './encode-photo.ts';
import { encodeThumbnail } from './encode-thumbnail.ts';
import { encodeVideo } from './encode-video.ts';
import { inspectVideo } from './inspect-video.ts';
import { decodeReel } from './prints/reel-print.ts';
import { checkAtOnce, runInChild } from './run-in-child.ts';
import { openVideo, videoStream } from './tasks/open-video.ts';

// The same file name is overwritten repeatedly here.
sharp.cache(false);

let folder: string;
let out: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-engine-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  out = join(folder, 'out');
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
});

const made = async (name: string, clip: Clip = {}) => {
  const path = join(folder, name);
  await makeClip(path, clip);
  return path;
};
const written = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const refusal = (code: string) => expect.objectContaining({ name: 'MediaRefusal', code });

/** FFmpeg's numbers for transfer and primaries; 1 is BT.709 for both. */
async function colorsOf(path: string) {
  const demuxer = await openVideo(path, 'mov');
  const { colorTrc, colorPrimaries } = videoStream(demuxer).codecpar;
  await demuxer.close();
  return { transfer: Number(colorTrc), primaries: Number(colorPrimaries) };
}

/** Whether the index of an MP4 precedes its media, so that it plays before it is loaded completely. */
async function isFastStart(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  return bytes.indexOf('moov') < bytes.indexOf('mdat');
}

describe('a video of a phone or camera is encoded as H.264/AAC MP4 up to 720p (decisions §7)', () => {
  const sources: [string, Clip, { width: number; height: number; hasAudio: boolean }][] = [
    ['portrait.mp4', { width: 360, height: 640 }, { width: 360, height: 640, hasAudio: true }],
    [
      'landscape.mov',
      { width: 640, height: 360, container: 'mov' },
      { width: 640, height: 360, hasAudio: true },
    ],
    [
      'large.mkv',
      { width: 1440, height: 2560, fps: 10, seconds: 1, container: 'matroska' },
      { width: 720, height: 1280, hasAudio: true },
    ],
    ['silent.mp4', { audio: false }, { width: 270, height: 480, hasAudio: false }],
    [
      'odd.mkv',
      { width: 271, height: 481, container: 'matroska', pixelFormat: 'yuv444p' },
      { width: 270, height: 480, hasAudio: true },
    ],
    ['vp9.webm', { container: 'webm' }, { width: 270, height: 480, hasAudio: true }],
    ['old.avi', { container: 'avi' }, { width: 270, height: 480, hasAudio: true }],
    ['stream.ts', { container: 'mpegts' }, { width: 270, height: 480, hasAudio: true }],
    [
      'fragments.mp4',
      { options: { movflags: 'frag_keyframe+empty_moov+default_base_moof' } },
      { width: 270, height: 480, hasAudio: true },
    ],
    ['fast.mp4', { fps: 60, seconds: 1 }, { width: 270, height: 480, hasAudio: true }],
    ['slow.mp4', { fps: 7, seconds: 3 }, { width: 270, height: 480, hasAudio: true }],
  ];
  it.each(someOf(sources, 2))('%s', async (name, clip, expected) => {
    const source = await made(name, clip);
    const seconds = clip.seconds ?? 2;
    expect((await inspectVideo(source)).seconds).toBeCloseTo(seconds, 0);
    const result = await encodeVideo(source, out);
    expect(result).toMatchObject({ width: expected.width, height: expected.height });
    expect(result.seconds).toBeCloseTo(seconds, 0);
    expect(result.placeholder).toMatch(/^data:image\/webp;base64,/);
    expect(result.placeholder.length).toBeLessThan(700);
    expect(decodeReel(Buffer.from(result.print ?? '', 'base64')).moments.length).toBeGreaterThan(0);
    expect((await readdir(out)).sort()).toEqual(
      ['card.jpg', 'poster.webp', 'tile.webp', ...result.renditions.map(({ file }) => file)].sort(),
    );
    for (const { file } of result.renditions) expect(await isFastStart(join(out, file))).toBe(true);
    expect(await inspectVideo(join(out, 'video.mp4'))).toMatchObject(expected);
  });

  it('reports increasing progress, from the beginning almost to the end', async () => {
    const told: number[] = [];
    await encodeVideo(await made('told.mp4', { seconds: 4 }), out, { onProgress: (done) => told.push(done) });
    expect(told.length).toBeGreaterThan(10);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect([told[0], told.at(-1)]).toEqual([expect.closeTo(0, 0), expect.closeTo(1, 0)]);
    expect(told.every((done) => done >= 0 && done <= 1)).toBe(true);
  });

  it('has sizes for slow and fast networks, none larger than the original', async () => {
    const source = await made('sizes.mp4', { width: 720, height: 1280, fps: 5 });
    const { renditions } = await encodeVideo(source, out);
    expect(renditions.map(({ width, height, file }) => [width, height, file])).toEqual([
      [360, 640, '360.mp4'],
      [540, 960, '540.mp4'],
      [720, 1280, 'video.mp4'],
    ]);
    const bitrates = renditions.map(({ bitrate }) => bitrate);
    expect(bitrates).toEqual(bitrates.toSorted((one, other) => one - other));
    const small = await encodeVideo(
      await made('small.mp4', { seconds: 1 }),
      await mkdtemp(join(folder, 'small-')),
    );
    expect(small.renditions.map(({ file }) => file)).toEqual(['video.mp4']);
  });

  it.each(someOf([90, 180, 270] as const, 1))('rotated by %i° is encoded upright', async (degrees) => {
    // Red above, blue below, stored sideways with a rotation flag.
    const source = await made(`turned-${degrees}.mp4`, {
      width: 320,
      height: 240,
      seconds: 1,
      source: 'color=red:size=320x120,pad=320:240:0:0:blue',
    });
    await turnClip(source, degrees);
    const isTurned = degrees !== 180;
    expect(await inspectVideo(source)).toMatchObject(
      isTurned ? { width: 240, height: 320 } : { width: 320, height: 240 },
    );
    const result = await encodeVideo(source, out);
    expect(result).toMatchObject(isTurned ? { width: 240, height: 320 } : { width: 320, height: 240 });
    const { data, info } = await sharp(join(out, 'poster.webp'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const colorAt = (x: number, y: number) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
      return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
    };
    // The place of the stored top after a clockwise rotation by this many degrees.
    const top = { 90: colorAt(0.9, 0.5), 180: colorAt(0.5, 0.9), 270: colorAt(0.1, 0.5) }[degrees];
    const bottom = { 90: colorAt(0.1, 0.5), 180: colorAt(0.5, 0.1), 270: colorAt(0.9, 0.5) }[degrees];
    expect([top, bottom]).toEqual(['red', 'blue']);
    expect((await inspectVideo(join(out, 'video.mp4'))).width).toBe(result.width);
  });

  it.each(someOf(['smpte2084', 'arib-std-b67'], 1))(
    'HDR (%s) comes out as what ordinary screens show',
    async (transfer) => {
      const hdr = `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`;
      const source = await made(`${transfer}.mp4`, {
        seconds: 1,
        source: `testsrc2=size=270x480:rate=25,format=yuv420p,${hdr}`,
      });
      expect(await colorsOf(source)).not.toEqual({ transfer: 1, primaries: 1 });
      await encodeVideo(source, out);
      expect(await colorsOf(join(out, 'video.mp4'))).toEqual({ transfer: 1, primaries: 1 });
    },
  );

  it('has a poster with a picture, and not the black of a fade-in', async () => {
    const source = await made('fade.mp4', {
      seconds: 3,
      source: 'testsrc2=size=270x480:rate=10,fade=in:st=1:d=1',
    });
    await encodeVideo(source, out);
    const { channels } = await sharp(join(out, 'poster.webp')).stats();
    expect(Math.max(...channels.map((channel) => channel.mean))).toBeGreaterThan(40);
  });
});

describe('a rendition contains nothing of its uploader (decisions §7)', () => {
  it('no title, place, date or device', async () => {
    const source = await made('told.mp4', { seconds: 1, title: 'At home, 19.07N 72.87E' });
    expect((await readFile(source)).includes('19.07N')).toBe(true);
    await encodeVideo(source, out);
    const rendition = await readFile(join(out, 'video.mp4'));
    for (const told of ['19.07N', 'At home', 'Lavf', 'TestHandler'])
      expect({ told, is: rendition.includes(told) }).toEqual({ told, is: false });
  });
});

describe('a file that is no usable video is refused with the reason (decisions §7)', () => {
  const html = '<!doctype html><html><body>not a video</body></html>'.repeat(50);
  it.each<[string, string | Uint8Array, string]>([
    ['nothing.mp4', '', 'file_empty'],
    ['page.mp4', html, 'file_not_video'],
    ['list.mp4', 'ffconcat version 1.0\nfile /etc/passwd\n', 'file_not_video'],
    ['list.m3u8.mp4', '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n', 'file_not_video'],
    ['zeros.mp4', new Uint8Array(5000), 'file_not_video'],
    [
      'promise.mp4',
      Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(400)]),
      'file_incomplete',
    ],
  ])('%s', async (name, content, code) => {
    await expect(inspectVideo(await written(name, content))).rejects.toEqual(refusal(code));
  });

  it('a picture', async () => {
    const path = join(folder, 'picture.mp4');
    await sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
      .png()
      .toFile(path);
    await expect(inspectVideo(path)).rejects.toEqual(refusal('file_not_video'));
  });

  it.each([
    ['GIF', 'GIF89a'],
    ['RealMedia', '.RMF\0\0\0\x12'],
    ['IVF', 'DKIF\0\0 \0VP80'],
    ['raw video', '\0\0\0\x01\x67\x42'],
  ])('%s, which is a video, with a correct sentence', async (name, head) => {
    const path = await written(
      'foreign',
      Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(2000, 7)]),
    );
    await expect(inspectVideo(path)).rejects.toEqual(refusal('video_kind_refused'));
    await expect(inspectVideo(path)).rejects.toThrow(
      `Videos of this kind (${name}) are not taken here; please save it as MP4 and send that.`,
    );
  });

  it('a playlist behind the header of any container, whose other files are not opened', async () => {
    const list =
      '\n#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\nffconcat version 1.0\nfile /etc/passwd\n'.repeat(90);
    for (const head of ['FLV\x01', 'OggS', '\0\0\x01\xba', '0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa\0b\xcel']) {
      const path = await written('list', Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(list)]));
      await expect(inspectVideo(path)).rejects.toEqual(refusal('file_unreadable'));
    }
  });

  it('sound only', async () => {
    await expect(inspectVideo(await made('sound.mp4', { video: false }))).rejects.toEqual(
      refusal('file_not_video'),
    );
  });

  const cut: [string, Clip][] = [
    ['cut-index-last.mp4', {}],
    ['cut-index-first.mp4', { options: { movflags: '+faststart' } }],
    ['cut.webm', { container: 'webm' }],
    ['cut.mkv', { container: 'matroska' }],
    ['cut.avi', { container: 'avi' }],
  ];
  it.each(someOf(cut, 2))('%s, whose end is missing', async (name, clip) => {
    const path = await made(name, clip);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
    await expect(inspectVideo(path)).rejects.toEqual(refusal('file_incomplete'));
  });

  it('longer than three minutes by more than the second of tolerance [long]', async () => {
    const clip = { width: 32, height: 32, fps: 2, audio: false };
    await expect(inspectVideo(await made('longer.mp4', { ...clip, seconds: 181.5 }))).rejects.toEqual(
      refusal('video_too_long'),
    );
    expect((await inspectVideo(await made('as-long.mp4', { ...clip, seconds: 180.5 }))).seconds).toBe(180.5);
  });

  it('longer than three minutes by its own packets', async () => {
    const path = await made('long.mp4', { seconds: 190, width: 32, height: 32, fps: 2, audio: false });
    await expect(inspectVideo(path)).rejects.toEqual(refusal('video_too_long'));
  });

  it('noise behind a valid header, without leaving files in the folder', async () => {
    const path = await made('noise.mp4', { options: { movflags: '+faststart' } });
    const bytes = await readFile(path);
    bytes.fill(0xa5, bytes.indexOf('mdat') + 4);
    await writeFile(path, bytes);
    await expect(inspectVideo(path)).rejects.toEqual(refusal('file_unreadable'));
  });
});

describe('a photo is encoded again without its metadata (decisions §7)', () => {
  const photo = () => sharp({ create: { width: 900, height: 600, channels: 3, background: '#c33' } });

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    '%s becomes WebP in several widths and JPEG',
    async (format) => {
      const path = join(folder, `photo.${format}`);
      await photo().toFormat(format).toFile(path);
      expect(await encodePhoto(path, out)).toMatchObject({
        width: 900,
        height: 600,
        widths: [360, 720, 900],
      });
      expect((await readdir(out)).sort()).toEqual([
        '360.webp',
        '720.webp',
        '900.webp',
        'photo.jpg',
        'small.webp',
      ]);
    },
  );

  it('upright, without its location, camera or profile', async () => {
    const path = join(folder, 'gps.jpg');
    await photo()
      .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '19/1 4/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(path);
    expect(await encodePhoto(path, out)).toMatchObject({ width: 600, height: 900 });
    for (const file of await readdir(out)) {
      const { exif, icc, xmp, orientation } = await sharp(join(out, file)).metadata();
      expect({ file, exif, icc, xmp, orientation }).toEqual({
        file,
        exif: undefined,
        icc: undefined,
        xmp: undefined,
        orientation: undefined,
      });
    }
  });

  const red = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#d22' } });
  const blue = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#22d' } });
  it.each<[string, () => Promise<Buffer>]>([
    [
      'for print (CMYK)',
      () => red().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer(),
    ],
    ['of 16 bits', () => red().toColourspace('rgb16').png().toBuffer()],
    ['of a wide gamut', () => red().withIccProfile('p3').png().toBuffer()],
    [
      'of a wide gamut, as cameras write it',
      () => red().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer(),
    ],
    ['with a transparency of nothing', () => red().ensureAlpha(1).webp({ lossless: true }).toBuffer()],
    [
      'that moves, by its first picture',
      async () =>
        await sharp([await red().png().toBuffer(), await blue().png().toBuffer()], {
          join: { animated: true },
        })
          .webp({ lossless: true })
          .toBuffer(),
    ],
  ])('one %s has the right colours on every screen', async (_what, make) => {
    const path = await written('colours', await make());
    expect(await encodePhoto(path, out)).toMatchObject({ width: 60, height: 40 });
    for (const file of await readdir(out)) {
      const { space, icc, pages = 1 } = await sharp(join(out, file)).metadata();
      expect({ file, space, icc, pages }).toEqual({ file, space: 'srgb', icc: undefined, pages: 1 });
      const [r = 0, g = 0, b = 0] = await sharp(join(out, file)).resize(1, 1).removeAlpha().raw().toBuffer();
      for (const [channel, wanted] of [
        [r, 0xdd],
        [g, 0x22],
        [b, 0x22],
      ] as const)
        expect(Math.abs(channel - wanted)).toBeLessThan(24);
    }
  });

  it.each<[string, string | Uint8Array, string]>([
    ['drawing.png', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'file_not_image'],
    ['empty.png', '', 'file_empty'],
    ['half.png', Buffer.from('\x89PNG\r\n\x1a\n and then nothing', 'latin1'), 'file_unreadable'],
  ])('%s is refused', async (name, content, code) => {
    await expect(encodePhoto(await written(name, content), out)).rejects.toEqual(refusal(code));
    expect(await readdir(out)).toEqual([]);
  });

  it.each([
    [
      'whose last part claims to be longer than the file',
      (png: Buffer) => Buffer.from(png).fill(0x7f, png.length - 12, png.length - 11),
    ],
    [
      'in which a part behind the picture claims the same',
      (png: Buffer) =>
        Buffer.concat([png.subarray(0, -12), Buffer.from('00ffffff74455874', 'hex'), png.subarray(-12)]),
    ],
  ])('a PNG %s is refused with a sentence', async (_what, broken) => {
    const path = await written('broken.png', broken(await photo().png().toBuffer()));
    await expect(encodePhoto(path, out)).rejects.toEqual(refusal('file_unreadable'));
    expect(await readdir(out)).toEqual([]);
  });

  it('with too many pixels is refused by its header', async () => {
    const path = join(folder, 'huge.png');
    await sharp({
      create: { width: 9000, height: 6000, channels: 3, background: 'red' },
      limitInputPixels: false,
    })
      .png()
      .toFile(path);
    await expect(encodePhoto(path, out)).rejects.toEqual(refusal('image_too_many_pixels'));
  });

  it('a thumbnail fits 300 × 533', async () => {
    const path = join(folder, 'thumbnail.png');
    await photo().png().toFile(path);
    await encodeThumbnail(path, out);
    expect(await sharp(join(out, 'thumbnail.webp')).metadata()).toMatchObject({
      width: 300,
      height: 200,
      format: 'webp',
    });
  });
});

describe('work on uploaded files is limited (decisions §7)', () => {
  const task = async () => ({
    path: await made('bounded.mp4', { seconds: 3 }),
    container: 'mov' as const,
    folder: out,
    files: { video: 'v.mp4', poster: 'p.webp', card: 'c.jpg', tile: 't.webp' },
    allowance: { times: 3, seconds: 20, pixels: 0, trialSeconds: 20 },
  });

  const died = (reason: string) => expect.objectContaining({ name: 'MediaWorkerCrash', reason });

  it('in time', async () => {
    const bounds = { seconds: 0, memory: 2 ** 31 };
    await expect(runInChild('transcode', await task(), bounds)).rejects.toEqual(died('time'));
  });

  it('in memory', async () => {
    const bounds = { seconds: 60, memory: 2 ** 24 };
    await expect(runInChild('transcode', await task(), bounds)).rejects.toEqual(died('memory'));
  });

  it('in time without a heartbeat, whatever the total limit [long]', async () => {
    const bounds = { seconds: 600, silence: 0, memory: 2 ** 31 };
    await expect(runInChild('transcode', await task(), bounds)).rejects.toEqual(died('silence'));
  });

  // Starting takes a child less than a second of a processor.
  describe.each([
    ['', { seconds: 4, memory: 2 ** 31 }],
    [' without a heartbeat [long]', { seconds: 600, silence: 4, memory: 2 ** 31 }],
  ])('in time%s, and if the child got no processor for most of it', (_what, bounds) => {
    let starving: ReturnType<typeof starveChildren>;
    beforeEach(() => {
      starving = starveChildren();
    });
    afterEach(() => starving.end());

    it('the machine is at fault and not the file, and an upload request gets 503 and may be repeated', async () => {
      const input = await task();
      const running = [false, true].map((refuseDeadly) =>
        runInChild('transcode', input, { ...bounds, refuseDeadly }),
      );
      await Promise.all([
        expect(running[0]).rejects.toEqual(died('starved')),
        expect(running[1]).rejects.toMatchObject({ name: 'Refusal', code: 'unavailable', retryAfter: 30 }),
      ]);
      expect(starving.pids).toHaveLength(2);
      for (const pid of starving.pids) await expect.poll(() => isProcessAlive(pid)).toBe(false);
    });
  });

  it('and a file that crashes it is refused if an uploader waits for the response', async () => {
    for (const bounds of [
      { seconds: 0, memory: 2 ** 31 },
      { seconds: 60, memory: 2 ** 24 },
    ])
      await expect(runInChild('transcode', await task(), { ...bounds, refuseDeadly: true })).rejects.toEqual(
        refusal('file_unreadable'),
      );
  });

  it('in number, if uploaders wait for the responses', async () => {
    const input = await task();
    endSpareChildren();
    checkAtOnce(1);
    const most = { seen: 0 };
    const watching = setInterval(() => {
      most.seen = Math.max(most.seen, childrenOf(process.pid).length);
    }, 20);
    try {
      const waited = { seconds: 60, memory: 2 ** 31, refuseDeadly: true };
      const probe = {
        path: input.path,
        container: input.container,
        maxSeconds: 180,
        toleranceSeconds: 1,
        maxPixels: 1e7,
      };
      await Promise.all([1, 2, 3].map(() => runInChild('probe', probe, waited)));
      expect(most.seen).toBe(1);
    } finally {
      clearInterval(watching);
      checkAtOnce(4);
    }
  });

  it('and is aborted when its client disconnects', async () => {
    const stopping = new AbortController();
    const running = runInChild('transcode', await task(), {
      seconds: 60,
      memory: 2 ** 31,
      signal: stopping.signal,
    });
    stopping.abort();
    await expect(running).rejects.toBe(stopping.signal.reason);
  });
});
