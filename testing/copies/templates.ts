import sharp from 'sharp';
import { sceneOf } from './works.ts';

type Random = (below: number) => number;

/*
 * Pictures that are similar but not the same work, for measuring the detection of copies.
 */
const size = { width: 720, height: 960 };

/** The same place photographed again from another position: near objects have moved more than far ones. */
export async function photoFrom(side: -1 | 1, place: Random, again: Random): Promise<Buffer> {
  const { width, height } = size;
  const share = (most: number) => side * (0.05 + again(100 * most) / 100);
  return await sceneOf(place, size, { x: share(0.12) * width, y: share(0.06) * height });
}

/** Cloth: a repeated motif, as it is printed in hundreds of colours and sizes. */
export async function fabric(random: Random): Promise<Buffer> {
  const { width, height } = size;
  const [across, down] = [40 + random(80), 40 + random(80)];
  const [ground, ink] = [
    `hsl(${random(360)} 50% ${20 + random(60)}%)`,
    `hsl(${random(360)} 60% ${20 + random(60)}%)`,
  ];
  const radius = Math.min(across, down) * (0.2 + random(20) / 100);
  const motifs = [
    `<circle cx="${across / 2}" cy="${down / 2}" r="${radius}" fill="${ink}"/>`,
    `<rect width="${across / 2}" height="${down}" fill="${ink}"/>`,
    `<rect width="${across / 2}" height="${down / 2}" fill="${ink}"/><rect x="${across / 2}" y="${down / 2}" width="${across / 2}" height="${down / 2}" fill="${ink}"/>`,
    `<path d="M${across / 2} 0L${across} ${down / 2}L${across / 2} ${down}L0 ${down / 2}Z" fill="${ink}"/>`,
    `<path d="M0 0L${across} ${down}M${across} 0L0 ${down}" stroke="${ink}" stroke-width="${radius / 2}"/>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><pattern id="cloth" width="${across}" height="${down}" patternUnits="userSpaceOnUse" patternTransform="translate(${random(100)} ${random(100)})">${motifs[random(motifs.length) | 0]}</pattern></defs><rect width="${width}" height="${height}" fill="${ground}"/><rect width="${width}" height="${height}" fill="url(#cloth)"/></svg>`;
  return await sharp(Buffer.from(svg)).removeAlpha().blur(1).png({ compressionLevel: 1 }).toBuffer();
}
