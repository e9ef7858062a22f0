import { Decoder, FilterAPI, pipeline } from 'node-av';
import sharp, { type Sharp } from 'sharp';
import { openVideo, videoStream } from './open-video.ts';
import { placeholderOf } from './placeholder.ts';

export interface Pictures {
  placeholder: string;
}

/** Darker than this on average (of 255) is a fade-in and not a picture. */
const tooDark = 20;
const tileWidth = 360;

/** Makes the poster, the grid's tile and the placeholder of a rendition from a typical picture of its beginning. */
export async function makePictures(video: string, poster: string, tile: string): Promise<Pictures> {
  const picture = await typicalPicture(video);
  await picture.clone().webp({ quality: 78 }).toFile(poster);
  await picture
    .clone()
    .resize({ width: tileWidth, withoutEnlargement: true })
    .webp({ quality: 74 })
    .toFile(tile);
  return { placeholder: await placeholderOf(picture) };
}

/** The most typical picture of each two seconds, until one is not dark; else the last of them. */
async function typicalPicture(video: string): Promise<Sharp> {
  const demuxer = await openVideo(video, 'mov');
  try {
    const decoder = await Decoder.create(videoStream(demuxer));
    const filter = FilterAPI.create('thumbnail=n=48,format=rgb24');
    let found: Sharp | undefined;
    for await (const frame of pipeline(demuxer, decoder, filter)) {
      if (!frame) break;
      const { width, height } = frame;
      found = sharp(frame.toBuffer(), { raw: { width, height, channels: 3 } });
      frame.free();
      const { channels } = await found.clone().stats();
      const brightness = channels.reduce((sum, channel) => sum + channel.mean, 0) / channels.length;
      if (brightness >= tooDark) break;
    }
    if (!found) throw new Error('the rendition has no picture');
    return found;
  } finally {
    await demuxer.close();
  }
}
