/**
 * What a picture is recognized by, also after scaling, re-encoding, mirroring or cropping (docs/decisions/0065-copies.md): a small grey
 * picture, and its strongest spots.
 */
export interface PicturePrint {
  width: number;
  height: number;
  /** Grey values of the small picture, row by row. */
  grey: Buffer;
  spots: Spot[];
}

/** A spot that is lighter or darker than its surroundings, and is also found in scaled versions of the picture. */
export interface Spot {
  /** From 0 to 1 of the picture's width and height. */
  x: number;
  y: number;
  /** Its share of the longer side of the picture. */
  size: number;
  /** Signs of its frequencies and those of its surroundings; pictures that share keys are compared. */
  key: number;
  /** The bits of the key that are likely to differ in a copy. */
  weak: number[];
}

/** Bits of a key, and how many of them are stored as weak. */
const keyBits = 32;
export const weakBits = 5;
/** Separates keys of whole pictures from those of spots. */
const wholePicture = 2 ** keyBits;

/** The frequency whose sign each bit of a key is. Even frequencies are much the same in all spots, which are round. */
export const frequencies = Array.from({ length: 49 }, (_, index) => ({
  u: index % 7,
  v: Math.floor(index / 7),
}))
  .filter(({ u, v }) => u % 2 === 1 || v % 2 === 1)
  .sort((wave, other) => wave.u + wave.v - (other.u + other.v) || wave.u - other.u)
  .slice(0, keyBits);

/** The bits that are inverted in a mirrored picture. */
const mirroredBits = frequencies.reduce(
  (bits, { u }, bit) => (u % 2 === 1 ? (bits | (1 << bit)) >>> 0 : bits),
  0,
);

export const mirroredSpot = (spot: Spot): Spot => ({
  ...spot,
  x: 1 - spot.x,
  key: (spot.key ^ mirroredBits) >>> 0,
});

/** The key of a spot in the index. */
export const indexKey = ({ key, size }: Pick<Spot, 'key' | 'size'>) =>
  size === 1 ? key + wholePicture : key;

/** The keys of similar spots in the index: with at most this many weak bits inverted. */
export function keysLike({ key, size, weak }: Spot, most: 1 | 2 = 2): number[] {
  const bits = weak.map((bit) => 1 << bit);
  const pairs = (bit: number, index: number) => bits.slice(index + 1).map((other) => bit | other);
  const flipped = bits.flatMap((bit, index) => [bit, ...(most === 2 ? pairs(bit, index) : [])]);
  return [0, ...flipped].map((mask) => indexKey({ key: (key ^ mask) >>> 0, size }));
}

/** All keys by which copies of this picture are searched, including those of the mirrored picture. */
export function keysToSearch({ spots }: PicturePrint): number[] {
  return [...new Set(spots.flatMap((spot) => [...keysLike(spot), ...keysLike(mirroredSpot(spot))]))];
}

export const pictureVersion = 1;
const headBytes = 3;
const spotBytes = 3 * 2 + 4 + weakBits;
const scale = 65_535;

export function encodePrint({ width, height, grey, spots }: PicturePrint): Buffer {
  const rows = spots.map(({ x, y, size, key, weak }) => {
    const row = Buffer.alloc(spotBytes);
    for (const [index, share] of [x, y, size].entries())
      row.writeUInt16BE(Math.round(Math.min(1, Math.max(0, share)) * scale), index * 2);
    row.writeUInt32BE(key, 6);
    for (const [index, bit] of weak.entries()) row.writeUInt8(bit, 10 + index);
    return row;
  });
  return Buffer.concat([Buffer.from([pictureVersion, width, height]), grey, ...rows]);
}

export function decodePrint(bytes: Buffer): PicturePrint {
  const [, width = 0, height = 0] = bytes;
  const spotsAt = headBytes + width * height;
  const spots: Spot[] = [];
  for (let at = spotsAt; at < bytes.length; at += spotBytes) {
    const share = (index: number) => bytes.readUInt16BE(at + index * 2) / scale;
    const weak = [...bytes.subarray(at + 10, at + spotBytes)];
    spots.push({ x: share(0), y: share(1), size: share(2), key: bytes.readUInt32BE(at + 6), weak });
  }
  return { width, height, grey: bytes.subarray(headBytes, spotsAt), spots };
}
