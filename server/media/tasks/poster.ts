import { FilterAPI, type Frame } from 'node-av';
import sharp from 'sharp';
import { writeCard } from './card.ts';
import { unreadable } from './open-video.ts';
import { placeholderOf } from './placeholder.ts';
import type { Size } from './video-filters.ts';

export interface Pictures {
  placeholder: string;
  /** Whether all compared frames show the same picture. */
  still: boolean;
}

/** Paths of the pictures of a reel. */
export interface PictureFiles {
  poster: string;
  card: string;
  tile: string;
}

/** Compares the frames of a video and stores the best one. */
export interface PosterChoice {
  offer(frame: Frame): Promise<void>;
  /** Makes the poster, its JPEG, the tile of the grid and the placeholder from the chosen frame. */
  make(files: PictureFiles): Promise<Pictures>;
}

const tileWidth = 360;
/** Average brightness of a frame, of 255: below `dark` or above `white` it is a fade, between `lit` and `bright` it is well exposed. */
const [dark, lit, bright, white] = [16, 60, 205, 245];
/**
 * Frames are the same picture if no field of this many by this many differs by so much, of 255. Encoders change a still
 * picture by 10 at most; a moving part of 30 × 30 pixels in one of 270 × 480 changes it by 17.
 */
const fields = 24;
const sameBelow = 16;
/** A later frame has to be better by this factor: people expect the beginning on a poster. */
const requiredGain = 1.25;

/** Compares the first frame, and then fewer and fewer: thirty in three minutes. */
export function choosePoster({ width, height }: Size): PosterChoice {
  const toRgb = FilterAPI.create('format=rgb24');
  let best: { pixels: Buffer; score: number } | undefined;
  let next = 0;
  let first: Buffer | undefined;
  let still = true;

  return {
    async offer(frame) {
      const { num, den } = frame.timeBase;
      const second = (Number(frame.pts) * num) / den;
      // Timestamps can begin below zero; the first frame is compared anyway.
      if (best && second < next) return;
      next = second + Math.max(0.4, second / 8);
      for (const converted of await toRgb.processAll(frame)) {
        const pixels = converted.toBuffer();
        converted.free();
        const small = await smallOf(pixels, width, height);
        const averages = await averagesOf(small);
        first ??= averages;
        still &&= isSame(first, averages);
        const score = await scoreOf(small);
        if (!best || score > best.score * requiredGain) best = { pixels, score };
      }
    },
    async make(files) {
      // The file could be opened, but no frame could be decoded.
      if (!best) throw unreadable();
      return { placeholder: await writePictures(best.pixels, { width, height }, files), still };
    },
  };
}

/** Writes the pictures of a frame; returns the placeholder. */
export async function writePictures(
  pixels: Buffer,
  { width, height }: Size,
  { poster, card, tile }: PictureFiles,
): Promise<string> {
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  await picture.clone().webp({ quality: 78 }).toFile(poster);
  await writeCard(picture, card);
  await picture
    .clone()
    .resize({ width: tileWidth, withoutEnlargement: true })
    .webp({ quality: 74 })
    .toFile(tile);
  return await placeholderOf(picture);
}

const side = 96;

const smallOf = (pixels: Buffer, width: number, height: number) =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize({ width: side, height: side, fit: 'fill' })
    .raw()
    .toBuffer();

const averagesOf = (small: Buffer) =>
  sharp(small, { raw: { width: side, height: side, channels: 3 } })
    .resize({ width: fields, height: fields, fit: 'fill' })
    .raw()
    .toBuffer();

const isSame = (picture: Buffer, other: Buffer) =>
  picture.every((value, index) => Math.abs(value - (other[index] ?? 0)) < sameBelow);

/** Prefers frames with much contrast that are neither too dark nor too bright. */
async function scoreOf(small: Buffer): Promise<number> {
  const { channels } = await sharp(small, { raw: { width: side, height: side, channels: 3 } }).stats();
  const mean = (pick: (channel: (typeof channels)[number]) => number) =>
    channels.reduce((sum, channel) => sum + pick(channel), 0) / channels.length;
  const light = mean((channel) => channel.mean);
  const within = (value: number) => Math.min(1, Math.max(0, value));
  const exposure = within((light - dark) / (lit - dark)) * within((white - light) / (white - bright));
  return (mean((channel) => channel.stdev) + 4) * (exposure + 0.001);
}
