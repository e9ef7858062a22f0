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
/** Maximum size for all players, and the sides for ordinary videos. */
const frame = { area: 720 * 1280, short: 720, long: 1280 };
/** A panorama may be longer, so that its short side stays readable; the first figure is the limit of decoders in phones. */
const panorama = { long: 4096, short: 360 };

export interface Size {
  width: number;
  height: number;
}

/** The size of the encoded picture: as displayed, in square pixels, of at most 720 × 1280 pixels, never larger than the original. */
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

/** A size times a factor, with both sides even as H.264 requires. */
export function scaled({ width, height }: Size, factor: number): Size {
  const even = (side: number) => Math.max(2, Math.floor((side * factor) / 2 + 1e-6) * 2);
  return { width: even(width), height: even(height) };
}

function shownSize(stream: Stream): Size {
  const { width, height } = stream.codecpar;
  const wide = { width: width * pixelShape(stream), height };
  return rotationOf(stream).degrees % 180 === 90 ? { width: wide.height, height: wide.width } : wide;
}

/** The container's value has priority over the codec's, as in FFmpeg itself (av_guess_sample_aspect_ratio). */
function pixelShape(stream: Stream): number {
  const shapes = [quotient(stream.sampleAspectRatio), quotient(stream.codecpar.sampleAspectRatio)];
  // An unrealistic value is an error in the header.
  return shapes.find((shape) => shape >= 0.25 && shape <= 4) ?? 1;
}

/**
 * The filters that convert any phone's picture: upright, SDR, of one size, even if it changes in between. It is scaled down first, which
 * makes the other filters cheaper.
 */
export function pictureFilters(stream: Stream): string {
  const rotation = rotationOf(stream);
  const { width, height } = sizeOf(stream);
  const [across, down] = rotation.degrees % 180 === 90 ? [height, width] : [width, height];
  const shape = across / down;
  // A picture with another shape (a screen that was rotated while it was recorded) keeps its shape inside the frame.
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
 * Puts the pictures onto a constant clock that matches the file's own times: a variable rate keeps its times, in sync with the sound; a
 * picture that starts late is shown from the beginning.
 */
export function clockFilter(stream: Stream): string {
  return `fps=${rateOf(stream)}:start_time=0`;
}

function upright({ degrees, flipped }: Turn): string[] {
  const rotations = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] };
  return [...(flipped ? ['hflip'] : []), ...rotations[degrees]];
}

/**
 * Pictures a second: the rate that contains all times of the stream, if that is at most 30; from a faster one every second, third, …
 * picture is used.
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

/** Matrix values of a file, with their names in the filters scale and setparams; others count as unspecified. */
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
 * Converts any colours to BT.709, which every screen shows: HDR (PQ or HLG) is tone mapped, a wider gamut is converted, and so is the
 * matrix of standard definition. Unspecified values are taken as usual for such files.
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
