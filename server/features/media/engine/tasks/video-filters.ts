import { AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084, type Stream } from 'node-av';
import { type Turn, turnOf } from './open-video.ts';

const fastest = 30;

/** The filters that make any phone's picture ours: upright, SDR, at most 30 pictures a second, within 720 × 1280. */
export function pictureFilters(stream: Stream): string {
  const isPortrait = isShownPortrait(stream);
  const [width, height] = isPortrait ? [720, 1280] : [1280, 720];
  return [
    ...upright(turnOf(stream)),
    ...toSdr(stream),
    `fps=${rateOf(stream)}`,
    // Non-square pixels become square ones before the box is fitted.
    "scale=w='trunc(iw*if(sar,sar,1)/2)*2':h=ih",
    `scale=w='min(${width},iw)':h='min(${height},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`,
    'setsar=1',
    'format=yuv420p',
    'sidedata=mode=delete:type=DISPLAYMATRIX',
  ].join(',');
}

function isShownPortrait(stream: Stream): boolean {
  const { width, height } = stream.codecpar;
  return turnOf(stream).degrees % 180 === 90 ? width > height : height >= width;
}

function upright({ degrees, flipped }: Turn): string[] {
  const turns = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] };
  return [...(flipped ? ['hflip'] : []), ...turns[degrees]];
}

/** A steady rate near the source's own: variable rates come out even, and in step with the sound. */
function rateOf(stream: Stream): string {
  const { num, den } = stream.avgFrameRate;
  const rate = den > 0 ? num / den : 0;
  if (!(rate >= 1) || rate > fastest) return String(fastest);
  return `${num}/${den}`;
}

/** HDR (PQ or HLG) is mapped to what ordinary screens show. */
function toSdr(stream: Stream): string[] {
  const transfer = stream.codecpar.colorTrc;
  if (transfer !== AVCOL_TRC_SMPTE2084 && transfer !== AVCOL_TRC_ARIB_STD_B67) return [];
  return [
    'zscale=t=linear:npl=100',
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ];
}
