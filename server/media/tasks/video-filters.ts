import {
  AVCOL_PRI_BT470BG,
  AVCOL_PRI_BT470M,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE170M,
  AVCOL_PRI_SMPTE240M,
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  type Stream,
} from 'node-av';
import { rotationOf, type Turn } from './open-video.ts';

const fastest = 30;
/** What every player manages, and the sides of it that ordinary videos fit in. */
const frame = { area: 720 * 1280, short: 720, long: 1280 };
/** A panorama may be longer, so that its short side stays readable; decoders in phones end at the first figure. */
const panorama = { long: 4096, short: 360 };

export interface Size {
  width: number;
  height: number;
}

/** The size that a picture is given: as shown, in square pixels, of at most 720 × 1280 pixels, never larger than it is. */
export function sizeOf(stream: Stream): Size {
  const { width, height } = shownSize(stream);
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fitting = Math.min(frame.short / short, frame.long / long);
  const readable = Math.min(
    panorama.short / short,
    panorama.long / long,
    Math.sqrt(frame.area / (short * long)),
  );
  return scaled({ width, height }, Math.min(1, Math.max(fitting, readable)));
}

/** A size by a factor, both sides even as H.264 has them. */
export function scaled({ width, height }: Size, factor: number): Size {
  const even = (side: number) => Math.max(2, Math.floor((side * factor) / 2 + 1e-6) * 2);
  return { width: even(width), height: even(height) };
}

function shownSize(stream: Stream): Size {
  const { width, height } = stream.codecpar;
  const wide = { width: width * pixelShape(stream), height };
  return rotationOf(stream).degrees % 180 === 90 ? { width: wide.height, height: wide.width } : wide;
}

/** The container's word goes before the codec's, as for FFmpeg itself (av_guess_sample_aspect_ratio). */
function pixelShape(stream: Stream): number {
  const shapes = [quotient(stream.sampleAspectRatio), quotient(stream.codecpar.sampleAspectRatio)];
  // What no camera makes is a mistake in the header.
  return shapes.find((shape) => shape >= 0.25 && shape <= 4) ?? 1;
}

/**
 * The filters that make any phone's picture ours: upright, SDR, of the one size, whatever it changes to on the way.
 * It is made smaller first: all that follows is then less work.
 */
export function pictureFilters(stream: Stream): string {
  const rotation = rotationOf(stream);
  const { width, height } = sizeOf(stream);
  const [across, down] = rotation.degrees % 180 === 90 ? [height, width] : [width, height];
  const shape = across / down;
  // Of a shape of its own (a screen turned while it was recorded), it keeps that shape inside the frame.
  const fits = `lt(abs(iw*${pixelShape(stream)}/ih/${shape}-1),0.05)`;
  const ratio = `iw*${pixelShape(stream)}/ih`;
  const colours = coloursOf(stream);
  return [
    `scale=w='if(${fits},${across},max(2,2*trunc(min(${across},${down}*${ratio})/2)))':h='if(${fits},${down},max(2,2*trunc(min(${down},${across}/(${ratio}))/2)))':out_range=tv${colours.whileScaling}`,
    ...colours.afterScaling,
    `pad=${across}:${down}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    ...upright(rotation),
    'format=yuv420p',
    'setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709',
    'sidedata=mode=delete:type=DISPLAYMATRIX',
  ].join(',');
}

/**
 * Puts the pictures onto the even clock that the file's own times fall on: a variable rate keeps its times, in step with
 * the sound; a picture that comes late stands from the beginning.
 */
export function clockFilter(stream: Stream): string {
  return `fps=${rateOf(stream)}:start_time=0`;
}

function upright({ degrees, flipped }: Turn): string[] {
  const rotations = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] };
  return [...(flipped ? ['hflip'] : []), ...rotations[degrees]];
}

/**
 * Pictures a second: the rate on which all times of the stream fall, as far as that is at most 30; of a faster one every
 * second, third, … picture.
 */
export function rateOf(stream: Stream): number {
  const [rate, average] = [quotient(stream.rFrameRate), quotient(stream.avgFrameRate)];
  if (!(rate >= 1)) return fastest;
  if (rate <= fastest + 0.01) return rate;
  const every = Math.ceil(rate / (fastest + 0.01));
  const isSteady = Math.abs(average / rate - 1) < 0.05 && rate / every >= 20;
  return isSteady ? rate / every : fastest;
}

function quotient({ num, den }: { num: number; den: number }): number {
  return den > 0 ? num / den : 0;
}

/** What a file may say of its matrix, as the filters scale and setparams call it; anything else counts as left unsaid. */
const matrices = new Map<number, readonly [string, string]>([
  [AVCOL_SPC_BT709, ['bt709', 'bt709']],
  [AVCOL_SPC_BT470BG, ['bt601', 'bt470bg']],
  [AVCOL_SPC_SMPTE170M, ['bt601', 'smpte170m']],
  [AVCOL_SPC_SMPTE240M, ['smpte240m', 'smpte240m']],
  [AVCOL_SPC_FCC, ['fcc', 'fcc']],
  [AVCOL_SPC_BT2020_NCL, ['bt2020', 'bt2020nc']],
  [AVCOL_SPC_BT2020_CL, ['bt2020', 'bt2020nc']],
]);
const primaries = new Map<number, string>([
  [AVCOL_PRI_BT709, 'bt709'],
  [AVCOL_PRI_BT470M, 'bt470m'],
  [AVCOL_PRI_BT470BG, 'bt470bg'],
  [AVCOL_PRI_SMPTE170M, 'smpte170m'],
  [AVCOL_PRI_SMPTE240M, 'smpte240m'],
  [AVCOL_PRI_BT2020, 'bt2020'],
  [AVCOL_PRI_SMPTE431, 'smpte431'],
  [AVCOL_PRI_SMPTE432, 'smpte432'],
]);

/**
 * What makes any colours BT.709, which every screen shows: HDR (PQ or HLG) is mapped, a wider gamut is converted, and so is
 * the matrix of standard definition. What the file leaves unsaid is what such files have.
 */
function coloursOf(stream: Stream): { whileScaling: string; afterScaling: string[] } {
  const { colorTrc, colorPrimaries, colorSpace, width, height } = stream.codecpar;
  const isHdr = colorTrc === AVCOL_TRC_SMPTE2084 || colorTrc === AVCOL_TRC_ARIB_STD_B67;
  const isHigh = width >= 1280 || height > 576;
  const from = primaries.get(colorPrimaries) ?? (isHdr ? 'bt2020' : 'bt709');
  const usual = from === 'bt2020' ? AVCOL_SPC_BT2020_NCL : isHigh ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
  const [matrix, named] = matrices.get(colorSpace) ?? matrices.get(usual) ?? ['bt709', 'bt709'];
  if (!isHdr && from === 'bt709') {
    return {
      whileScaling: `:in_color_matrix=${matrix}:out_color_matrix=bt709`,
      afterScaling: ['format=yuv420p'],
    };
  }
  const transfer =
    colorTrc === AVCOL_TRC_SMPTE2084
      ? 'smpte2084'
      : colorTrc === AVCOL_TRC_ARIB_STD_B67
        ? 'arib-std-b67'
        : 'bt709';
  const said = `setparams=range=tv:colorspace=${named}:color_primaries=${from}:color_trc=${transfer}`;
  const mapped = [
    'zscale=t=linear:npl=100',
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ];
  return {
    whileScaling: `:in_color_matrix=${matrix}:out_color_matrix=${matrix}`,
    afterScaling: [
      'format=yuv420p10le',
      said,
      ...(isHdr ? mapped : ['zscale=p=bt709:t=bt709:m=bt709:r=tv']),
      'format=yuv420p',
    ],
  };
}
