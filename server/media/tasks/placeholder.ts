import type { Sharp } from 'sharp';

/** A few dozen pixels as a data URL, sent with the page and blurred by the browser. */
export async function placeholderOf(picture: Sharp): Promise<string> {
  const bytes = await picture
    .clone()
    .resize(12, 20, { fit: 'inside' })
    .webp({ quality: 30, smartSubsample: true })
    .toBuffer();
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}
