import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const night = '#0b0920';

/** Renders the icons and preview pictures from the drawings in `drawings` into `folder`. */
export async function renderPictures(drawings: string, folder: string): Promise<void> {
  const mark = await readFile(join(drawings, 'icon.svg'), 'utf8');
  const save = async (name: string, picture: Sharp) =>
    await writeFile(join(folder, name), await picture.png({ compressionLevel: 9 }).toBuffer());

  await save('icon-192.png', square(mark, 192));
  await save('icon-512.png', square(mark, 512));
  // Launchers crop icons to their own shape, so the bands of light reach every edge and no corner is transparent.
  const whole = mark.replace('rx="17"', 'rx="0"');
  if (whole === mark) throw new Error('icon.svg has other corners than its full-bleed twin takes off');
  await save('icon-maskable.png', square(whole, 512).flatten());
  await save('apple-touch-icon.png', square(whole, 180).flatten());

  const door = sharp(join(drawings, 'slides/glimpse.svg'), { density: 130 }).resize({ width: 690 });
  // Paths instead of text: the font need not be installed where this is built.
  const name = sharp(join(drawings, 'wordmark.svg'), { density: 30 }).resize({ width: 350 });
  const nameInHindi = sharp(join(drawings, 'wordmark-hi.svg'), { density: 30 }).resize({ width: 150 });
  const card = sharp({ create: { width: 1200, height: 630, channels: 3, background: night } });
  await writeFile(
    join(folder, 'card.jpg'),
    await card
      .composite([
        { input: await door.png().toBuffer(), left: 475, top: 85 },
        { input: await square(mark, 132).png().toBuffer(), left: 90, top: 140 },
        { input: await name.png().toBuffer(), left: 90, top: 310 },
        { input: await nameInHindi.png().toBuffer(), left: 92, top: 440 },
      ])
      .jpeg({ quality: 90, mozjpeg: true })
      .toBuffer(),
  );
}

const square = (drawing: string, size: number) =>
  sharp(Buffer.from(drawing), { density: 72 * (size / 64) }).resize(size, size);
