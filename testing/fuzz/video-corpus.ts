import { readFile, writeFile } from 'node:fs/promises';
import { heardClip, shownClip } from '../browser/video-inspection.ts';
import { type Clip, delaySound, makeClip, trimClip, turnClip } from '../fixtures/clips.ts';
import { isWhole } from '../share.ts';

/** A file to be made, its peculiarity, and the expected result if it differs from the input. */
export interface Case extends Omit<Clip, 'source' | 'sound' | 'seconds'> {
  /** More filters for the picture, after it was drawn. */
  filters?: string;
  soundFilters?: string;
  turn?: 90 | 180 | 270;
  /** Delay of the sound, in seconds. */
  soundLate?: number;
  /** Changes the finished file. */
  spoil?: (path: string) => Promise<void>;
  expected?: { width?: number; height?: number; seconds?: number; flashAt?: number };
}

/** Length of the video; at `event` the middle turns white and a tone begins. */
const seconds = 2;
const event = 1;
const unturn = { 90: 'transpose=cclock', 180: 'hflip,vflip', 270: 'transpose=clock' };

/** Makes the file of a case. */
export async function film(path: string, one: Case): Promise<void> {
  const {
    width = 120,
    height = 200,
    fps = 25,
    filters,
    soundFilters,
    soundLate = 0,
    turn,
    spoil,
    expected: _expected,
    ...clip
  } = one;
  const source = [
    shownClip(width, height, fps, event),
    ...(turn ? [unturn[turn]] : []),
    ...(filters ? [filters] : []),
  ];
  const sound = [
    heardClip(event - soundLate),
    `atrim=end=${seconds - soundLate}`,
    ...(soundFilters ? [soundFilters] : []),
  ];
  await makeClip(path, { ...clip, seconds, source: source.join(','), sound: sound.join(',') });
  if (turn) await turnClip(path, turn);
  if (soundLate) await delaySound(path, clip.container ?? 'mp4', soundLate);
  await spoil?.(path);
}

/** What a viewer must see and hear. */
export function shownOf({ width = 120, height = 200, audio = true, expected }: Case) {
  return { width, height, seconds, flashAt: event, hasAudio: audio, ...expected };
}

const containers: Record<string, Case> = {
  mp4: {},
  'mp4 with its index first': { options: { movflags: '+faststart' } },
  'mp4 in fragments': { options: { movflags: 'frag_keyframe+empty_moov+default_base_moof' } },
  mov: { container: 'mov', audioCodec: 'pcm_s16le' },
  '3gp': {
    container: '3gp',
    codec: 'h263',
    width: 176,
    height: 144,
    sampleRate: 16000,
    layout: 'mono',
  },
  matroska: { container: 'matroska', audioCodec: 'flac' },
  webm: { container: 'webm' },
  avi: { container: 'avi', audioCodec: 'libmp3lame' },
  'transport stream': { container: 'mpegts', audioCodec: 'ac3' },
  'transport stream of a camcorder': {
    container: 'mpegts',
    audioCodec: 'ac3',
    options: { mpegts_m2ts_mode: '1' },
  },
  'transport stream behind something else': {
    container: 'mpegts',
    spoil: async (path) => writeFile(path, Buffer.concat([Buffer.alloc(3001, 'junk'), await readFile(path)])),
  },
  'program stream': { container: 'vob', codec: 'mpeg2video', audioCodec: 'ac3' },
  flv: { container: 'flv' },
  mxf: {
    container: 'matroska',
    codec: 'mpeg2video',
    audioCodec: 'pcm_s16le',
    spoil: (path) => delaySound(path, 'mxf', 0),
  },
  ogg: { container: 'ogg', codec: 'libtheora', audioCodec: 'flac' },
  'vp8 in ogg': { container: 'ogg', codec: 'libvpx', audioCodec: 'libopus' },
  wmv: { container: 'asf', codec: 'wmv2', audioCodec: 'libmp3lame' },
};
const codecs: Record<string, Case> = {
  hevc: { codec: 'libx265' },
  'hevc in mov': { codec: 'libx265', container: 'mov' },
  'hevc in matroska': { codec: 'libx265', container: 'matroska' },
  av1: { codec: 'libsvtav1' },
  'av1 in webm': { codec: 'libsvtav1', container: 'webm' },
  'vp9 in mp4': { codec: 'libvpx-vp9' },
  vp8: { codec: 'libvpx', container: 'webm' },
  'mpeg-4': { codec: 'mpeg4', container: 'avi', audioCodec: 'libmp3lame' },
  'mpeg-2': { codec: 'mpeg2video', container: 'mpegts' },
  'motion jpeg': { codec: 'mjpeg', container: 'mov', pixelFormat: 'yuvj420p', audioCodec: 'pcm_s16le' },
  prores: { codec: 'prores_ks', container: 'mov', pixelFormat: 'yuv422p10le', audioCodec: 'pcm_s16le' },
};
const hdr = (transfer: string) =>
  `format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`;
const pictures: Record<string, Case> = {
  '10 bits': { pixelFormat: 'yuv420p10le' },
  'full colour': { pixelFormat: 'yuv444p' },
  'full range': { pixelFormat: 'yuvj420p' },
  'PQ in hevc': { codec: 'libx265', pixelFormat: 'yuv420p10le', filters: hdr('smpte2084') },
  'HLG in hevc': { codec: 'libx265', pixelFormat: 'yuv420p10le', filters: hdr('arib-std-b67') },
  'HLG in av1': { codec: 'libsvtav1', pixelFormat: 'yuv420p10le', filters: hdr('arib-std-b67') },
  'PQ that says no more than that': {
    codec: 'libx265',
    pixelFormat: 'yuv420p10le',
    filters: 'format=yuv420p10le,setparams=color_trc=smpte2084:color_primaries=unknown:colorspace=unknown',
  },
  'odd sides': { width: 121, height: 201, pixelFormat: 'yuv444p', expected: { width: 120, height: 200 } },
  tiny: { width: 16, height: 24 },
  'wide pixels': { filters: 'setsar=2', expected: { width: 240 } },
  'narrow pixels, turned': {
    width: 120,
    height: 200,
    turn: 90,
    filters: 'setsar=1/2',
    expected: { height: 100 },
  },
  'full HD': { width: 1080, height: 1920, fps: 5, expected: { width: 720, height: 1280 } },
  'full HD, lying, hevc': {
    width: 1920,
    height: 1080,
    fps: 5,
    codec: 'libx265',
    expected: { width: 1280, height: 720 },
  },
  square: { width: 600, height: 600 },
  'very tall': { width: 200, height: 1600 },
};
const turns = Object.fromEntries(
  ([90, 180, 270] as const).flatMap((turn): [string, Case][] => [
    [`mp4 turned by ${turn}°`, { turn }],
    [`mov turned by ${turn}°, lying`, { turn, container: 'mov', width: 200, height: 120 }],
    [
      `hevc turned by ${turn}°, HLG`,
      {
        turn,
        codec: 'libx265',
        pixelFormat: 'yuv420p10le',
        filters: hdr('arib-std-b67'),
      },
    ],
  ]),
);
const times: Record<string, Case> = {
  '7 pictures a second': { fps: 7, expected: { flashAt: 8 / 7 - 1 / 7 } },
  '60 pictures a second': { fps: 60 },
  '50 pictures a second': { fps: 50 },
  '24 pictures a second, turned': { fps: 24, turn: 270 },
  'a rate that varies': { filters: `select='lt(n,10)+not(mod(n,5))'` },
  'a rate that varies, in matroska': {
    filters: `select='gt(n,30)+not(mod(n,5))'`,
    container: 'matroska',
  },
  'a rate that varies, from 60': { fps: 60, filters: `select='gt(n,50)+not(mod(n,4))'` },
  'sound that begins late': { soundLate: 0.6 },
  'sound that begins late, in matroska': { soundLate: 0.6, container: 'matroska' },
  'a picture that begins late': { filters: 'trim=start=0.4' },
  'a picture that begins late, in a transport stream': { filters: 'trim=start=0.4', container: 'mpegts' },
  'sound that ends early': { soundFilters: 'atrim=end=1.5' },
  'a beginning cut off by edit lists': {
    spoil: (path) => trimClip(path, 0.5),
    expected: { seconds: 1.5, flashAt: 0.5 },
  },
  'a beginning cut off by edit lists, turned': {
    turn: 90,
    container: 'mov',
    spoil: (path) => trimClip(path, 0.4),
    expected: { seconds: 1.6, flashAt: 0.6 },
  },
};
const sounds: Record<string, Case> = {
  'no sound': { audio: false },
  'no sound, in webm': { audio: false, container: 'webm' },
  'no sound, turned': { audio: false, turn: 90, container: 'mov' },
  mono: { layout: 'mono', sampleRate: 44100 },
  'six channels': { layout: '5.1', audioCodec: 'ac3', container: 'matroska' },
  '8 kHz': { layout: 'mono', sampleRate: 8000 },
  quiet: { soundFilters: 'volume=-18dB' },
  'too loud': { soundFilters: 'volume=10dB' },
};
const faults: Record<string, Case> = {
  'a transport stream that breaks off': {
    container: 'mpegts',
    spoil: async (path) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.subarray(0, bytes.length - 300));
    },
  },
  'bytes behind the end': {
    spoil: async (path) => writeFile(path, Buffer.alloc(1000, 'free'), { flag: 'a' }),
  },
  'a box of media that says it is longer than the file': {
    options: { movflags: '+faststart' },
    spoil: async (path) => {
      const bytes = await readFile(path);
      const length = bytes.indexOf('mdat') - 4;
      bytes.writeUInt32BE(bytes.readUInt32BE(length) + 5000, length);
      await writeFile(path, bytes);
    },
  },
  'a cover': { title: 'with a title' },
};

/** What phones and people produce: every container, codec, size, rotation, timing, sound and small defect. */
export const corpus: Record<string, Case> = {
  ...containers,
  ...codecs,
  ...pictures,
  ...turns,
  ...times,
  ...sounds,
  ...faults,
};

/** One for each demuxer, rotation, colour, codec family and kind of timing: the share that `npm test` takes. */
const shared = [
  'matroska',
  'avi',
  'transport stream of a camcorder',
  'mxf',
  'wmv',
  'av1',
  'PQ that says no more than that',
  'full colour',
  'mp4 turned by 180°',
  'hevc turned by 270°, HLG',
  'a rate that varies',
  'a beginning cut off by edit lists',
  'a box of media that says it is longer than the file',
];

/** The whole corpus, or the share that `npm test` takes. */
export const someOfCorpus: [string, Case][] = (isWhole ? Object.keys(corpus) : shared).map((name) => {
  const one = corpus[name];
  if (!one) throw new Error(`the corpus has no ${name}`);
  return [name, one];
});
