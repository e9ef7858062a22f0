import sharp from 'sharp';

type Random = (below: number) => number;

/*
 * Pictures for measuring the detection of copies (docs/decisions/0065-copies.md). Each is different, and the same for the
 * same random numbers.
 */
const size = { width: 720, height: 960 };

const colour = (random: Random) => `hsl(${random(360)} ${20 + random(70)}% ${15 + random(70)}%)`;

type Size = typeof size;

/** Overlapping shapes with grain, like a photo: light, edges and texture of all sizes. */
export const scene = (random: Random): Promise<Buffer> => sceneOf(random, size);

/** The same from another position: near objects move by all of `moved`, far ones by little. */
export async function sceneOf(
  random: Random,
  { width, height }: Size,
  moved = { x: 0, y: 0 },
): Promise<Buffer> {
  const shapes = Array.from({ length: 30 + random(40) }, (_, place) => {
    const extent = width / 2 / (1 + place / 6) + random(width / 12);
    const nearness = Math.min(1, place / 40);
    const [x, y] = [random(width) + nearness * moved.x, random(height) + nearness * moved.y];
    const turn = `rotate(${random(360)} ${x} ${y})`;
    const look = `fill="${colour(random)}" opacity="${0.5 + random(50) / 100}" transform="${turn}"`;
    return random(2) === 0
      ? `<ellipse cx="${x}" cy="${y}" rx="${extent / 2}" ry="${extent / (2 + random(3))}" ${look}/>`
      : `<rect x="${x - extent / 2}" y="${y - extent / 3}" width="${extent}" height="${extent / (1 + random(3))}" ${look}/>`;
  });
  return await drawn(`${sky(random, { width, height })}${shapes.join('')}`, { width, height }, random);
}

/** A card from a template with its own text, as an app for greetings makes them. */
export async function card(template: Random, words: Random): Promise<Buffer> {
  const { width } = size;
  const frame = sky(template, size);
  // On a plain ground, so that the text can be read.
  const [hue, isDark] = [template(360), template(2) === 0];
  const ground = `hsl(${hue} 40% ${isDark ? 12 : 90}%)`;
  const ink = `hsl(${template(360)} 60% ${isDark ? 88 : 22}%)`;
  const ornaments = Array.from(
    { length: 12 },
    () =>
      `<circle cx="${template(width)}" cy="${template(2) * 800 + template(160)}" r="${10 + template(50)}" fill="${colour(template)}"/>`,
  );
  const lines = Array.from({ length: 7 }, (_, line) => {
    const letters = Array.from({ length: 8 + words(10) }, () =>
      words(6) === 0 ? ' ' : String.fromCharCode(97 + words(26)),
    );
    return `<text x="${width / 2}" y="${250 + line * 80}" font-size="64" text-anchor="middle" fill="${ink}">${letters.join('')}</text>`;
  });
  const panel = `<rect x="20" y="170" width="${width - 40}" height="610" rx="40" fill="${ground}"/>`;
  return await drawn(`${frame}${ornaments.join('')}${panel}${lines.join('')}`, size);
}

function sky(random: Random, { width, height }: Size): string {
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${colour(random)}"/><stop offset="1" stop-color="${colour(random)}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>`;
}

async function drawn(content: string, { width, height }: Size, grain?: Random): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  const picture = sharp(Buffer.from(svg)).removeAlpha();
  if (!grain) return await picture.png({ compressionLevel: 1 }).toBuffer();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  for (const [at, value] of data.entries()) data[at] = Math.max(0, Math.min(255, value + grain(13) - 6));
  return await sharp(data, { raw: info }).png({ compressionLevel: 1 }).toBuffer();
}
