import {
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  type Stream,
} from 'node-av';
import { type Turn, turnOf } from './open-video.ts';

const fastest = 30;
const [shortest, longest] = [720, 1280];

export interface Size {
  width: number;
  height: number;
}

/** The size that a picture is given: as shown, in square pixels, within 720 × 1280, never larger than it is. */
export function sizeOf(stream: Stream): Size {
  const { width, height } = shownSize(stream);
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return scaled({ width, height }, Math.min(1, shortest / short, longest / long));
}

/** A size by a factor, both sides even as H.264 has them. */
export function scaled({ width, height }: Size, factor: number): Size {
  const even = (side: number) => Math.max(2, Math.floor((side * factor) / 2 + 1e-6) * 2);
  return { width: even(width), height: even(height) };
}

function shownSize(stream: Stream): Size {
  const { width, height } = stream.codecpar;
  const wide = { width: width * pixelShape(stream), height };
  return turnOf(stream).degrees % 180 === 90 ? { width: wide.height, height: wide.width } : wide;
}

function pixelShape(stream: Stream): number {
  const shape = quotient(stream.codecpar.sampleAspectRatio);
  // What no camera makes is a mistake in the header.
  return shape >= 0.25 && shape <= 4 ? shape : 1;
}

/**
 * The filters that make any phone's picture ours: upright, SDR, of the one size, whatever it changes to on the way.
 * It is made smaller first: all that follows is then less work.
 */
export function pictureFilters(stream: Stream): string {
  const turn = turnOf(stream);
  const { width, height } = sizeOf(stream);
  const [across, down] = turn.degrees % 180 === 90 ? [height, width] : [width, height];
  const shape = across / down;
  // Of a shape of its own (a screen turned while it was recorded), it keeps that shape inside the frame.
  const fits = `lt(abs(iw*${pixelShape(stream)}/ih/${shape}-1),0.05)`;
  const ratio = `iw*${pixelShape(stream)}/ih`;
  return [
    `scale=w='if(${fits},${across},max(2,2*trunc(min(${across},${down}*${ratio})/2)))':h='if(${fits},${down},max(2,2*trunc(min(${down},${across}/(${ratio}))/2)))':out_range=tv`,
    `pad=${across}:${down}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    ...upright(turn),
    ...toSdr(stream),
    'format=yuv420p',
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
  const turns = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] };
  return [...(flipped ? ['hflip'] : []), ...turns[degrees]];
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

/** HDR (PQ or HLG) is mapped to what ordinary screens show. What the file leaves unsaid is what such files have. */
function toSdr(stream: Stream): string[] {
  const { colorTrc, colorPrimaries, colorSpace } = stream.codecpar;
  if (colorTrc !== AVCOL_TRC_SMPTE2084 && colorTrc !== AVCOL_TRC_ARIB_STD_B67) return [];
  const said = [
    `color_trc=${colorTrc === AVCOL_TRC_SMPTE2084 ? 'smpte2084' : 'arib-std-b67'}`,
    ...(colorPrimaries === AVCOL_PRI_UNSPECIFIED ? ['color_primaries=bt2020'] : []),
    ...(colorSpace === AVCOL_SPC_UNSPECIFIED ? ['colorspace=bt2020nc'] : []),
  ];
  return [
    `setparams=${said.join(':')}`,
    'zscale=t=linear:npl=100',
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ];
}
