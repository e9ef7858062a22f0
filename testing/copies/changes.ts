import sharp from 'sharp';

type Change = (picture: Buffer) => Promise<Buffer>;

async function sizeOf(picture: Buffer) {
  const { width, height } = await sharp(picture).metadata();
  return { width, height };
}

/** Position and size of a part of a picture, from 0 to 1. */
async function part(picture: Buffer, [left, top, share]: [number, number, number]): Promise<Buffer> {
  const { width, height } = await sizeOf(picture);
  const area = {
    left: Math.round(left * width),
    top: Math.round(top * height),
    width: Math.round(share * width),
    height: Math.round(share * height),
  };
  return await sharp(picture).extract(area).png({ compressionLevel: 1 }).toBuffer();
}

async function covered(picture: Buffer, draw: (width: number, height: number) => string): Promise<Buffer> {
  const { width, height } = await sizeOf(picture);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw(width, height)}</svg>`;
  return await sharp(picture)
    .composite([{ input: Buffer.from(svg) }])
    .jpeg()
    .toBuffer();
}

/** Changes of a picture that is published again as a new one. */
export const changes: Record<string, Change> = {
  'other last bytes': async (picture) =>
    Buffer.concat([await sharp(picture).jpeg().toBuffer(), Buffer.from('x')]),
  'JPEG of quality 30': (picture) => sharp(picture).jpeg({ quality: 30 }).toBuffer(),
  WebP: (picture) => sharp(picture).webp({ quality: 60 }).toBuffer(),
  'two fifths of the size': async (picture) =>
    sharp(picture)
      .resize({ width: Math.round((await sizeOf(picture)).width * 0.4) })
      .jpeg()
      .toBuffer(),
  mirrored: (picture) => sharp(picture).flop().jpeg().toBuffer(),
  brighter: (picture) => sharp(picture).linear(1.15, 18).jpeg().toBuffer(),
  darker: (picture) => sharp(picture).linear(0.6, 0).jpeg().toBuffer(),
  'without colour': (picture) => sharp(picture).greyscale().jpeg().toBuffer(),
  'other colours': (picture) => sharp(picture).modulate({ hue: 40, saturation: 1.3 }).jpeg().toBuffer(),
  blurred: (picture) => sharp(picture).blur(3).jpeg().toBuffer(),
  sharpened: (picture) => sharp(picture).sharpen({ sigma: 2 }).jpeg().toBuffer(),
  'nine tenths of it': async (picture) =>
    sharp(await part(picture, [0.05, 0.05, 0.9]))
      .jpeg()
      .toBuffer(),
  'three quarters of it': async (picture) =>
    sharp(await part(picture, [0.15, 0.05, 0.75]))
      .jpeg()
      .toBuffer(),
  'two thirds of it': async (picture) =>
    sharp(await part(picture, [0.3, 0.2, 0.67]))
      .jpeg()
      .toBuffer(),
  'four fifths of it, mirrored': async (picture) =>
    sharp(await part(picture, [0.1, 0.1, 0.8]))
      .flop()
      .jpeg({ quality: 50 })
      .toBuffer(),
  'a square of it': (picture) => sharp(picture).resize(600, 600, { fit: 'cover' }).jpeg().toBuffer(),
  'in a white frame': (picture) =>
    sharp(picture).extend({ top: 60, bottom: 60, left: 40, right: 40, background: '#fff' }).jpeg().toBuffer(),
  stretched: async (picture) => {
    const { width, height } = await sizeOf(picture);
    return await sharp(picture)
      .resize(width, Math.round(height * 0.88), { fit: 'fill' })
      .jpeg()
      .toBuffer();
  },
  'with words on it': (picture) =>
    covered(
      picture,
      (width, height) =>
        `<text x="${width / 2}" y="${height * 0.93}" font-size="${width / 14}" text-anchor="middle" fill="#fff" stroke="#000">Follow me for more</text>`,
    ),
  'with a sticker on it': (picture) =>
    covered(
      picture,
      (width, height) =>
        `<circle cx="${width * 0.8}" cy="${height * 0.18}" r="${width * 0.11}" fill="#fc0"/>`,
    ),
};
