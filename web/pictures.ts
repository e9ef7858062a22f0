import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const night = '#0b0920';

/** Renders the pictures that phones and link previews want as PNG from the drawings in `drawings` into `folder`. */
export async function renderPictures(drawings: string, folder: string): Promise<void> {
  const mark = await readFile(join(drawings, 'icon.svg'));
  const icon = (size: number) => sharp(mark, { density: 72 * (size / 64) }).resize(size, size);
  const save = async (name: string, picture: Sharp) =>
    await writeFile(join(folder, name), await picture.png({ compressionLevel: 9, palette: true }).toBuffer());

  await save('icon-192.png', icon(192));
  await save('icon-512.png', icon(512));
  // A launcher cuts its own shape: the mark stays within the inner four fifths, and no corner is clear.
  const inside = await icon(410).png().toBuffer();
  const square = (size: number) =>
    sharp({ create: { width: size, height: size, channels: 3, background: '#251c62' } });
  await save('icon-maskable.png', square(512).composite([{ input: inside }]));
  const touch = await icon(180).png().toBuffer();
  await save('apple-touch-icon.png', square(180).composite([{ input: touch }]));

  const door = await sharp(join(drawings, 'slides/glimpse.svg'), { density: 130 })
    .resize(720)
    .png()
    .toBuffer();
  const large = await icon(300).png().toBuffer();
  const card = sharp({ create: { width: 1200, height: 630, channels: 3, background: night } });
  await save(
    'card.png',
    card.composite([
      { input: large, left: 90, top: 165 },
      { input: door, left: 440, top: 75 },
    ]),
  );
}
