import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClip } from './clips.ts';

/** A picture as a phone writes it: HEVC, whole or in tiles, in an ISO 23008-12 container (HEIC). */
export interface HeicPicture {
  /** As stored, before it is turned. */
  width: number;
  height: number;
  /** FFmpeg's words for what is drawn, of that size. */
  source: string;
  /** Side of the tiles; one picture without tiles where it is not given. Phones use 512. */
  tile?: number;
  /** All tiles are one and the same, whose source has its size: a large picture is quickly made. */
  alike?: boolean;
  /** Quarter turns against the clock that whoever shows it has to make. */
  turns?: 0 | 1 | 2 | 3;
  icc?: Buffer;
  /** As sharp hands it out, beginning with `Exif`. */
  exif?: Buffer;
  /** Says that it is this large, whatever it is. */
  claim?: { width: number; height: number };
  pixelFormat?: string;
}

const u8 = (...values: number[]) => Buffer.from(values);
const u16 = (...values: number[]) => numbers(values, 2);
const u32 = (...values: number[]) => numbers(values, 4);

function numbers(values: number[], length: number): Buffer {
  const bytes = Buffer.alloc(values.length * length);
  for (const [index, value] of values.entries()) bytes.writeUIntBE(value, index * length, length);
  return bytes;
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

const fullBox = (type: string, version: number, ...content: Buffer[]) =>
  box(type, u8(version, 0, 0, 0), ...content);

interface Item {
  id: number;
  type: 'hvc1' | 'grid' | 'Exif';
  data: Buffer;
  /** Numbers of its properties, from 1. */
  properties: number[];
  hidden?: boolean;
}

/** Makes such a file. */
export async function makeHeic(picture: HeicPicture): Promise<Buffer<ArrayBuffer>> {
  const { width, height, tile, alike, turns = 0, icc, exif, claim } = picture;
  const [columns, rows] = tile ? [Math.ceil(width / tile), Math.ceil(height / tile)] : [1, 1];
  const [across, down] = tile ? [tile, tile] : [width, height];
  const shots: Shot[] = [];
  for (let index = 0; index < columns * rows; index += 1) {
    if (alike && shots[0]) {
      shots.push(shots[0]);
      continue;
    }
    const crop = `crop=${across}:${down}:${(index % columns) * across}:${Math.floor(index / columns) * down}`;
    const padded = `pad=${columns * across}:${rows * down}`;
    const source = alike ? picture.source : `${picture.source},${padded},${crop}`;
    shots.push(await shoot(source, across, down, picture));
  }
  const shown = claim ?? { width, height };
  const properties = [
    shots[0]?.config ?? Buffer.alloc(0),
    fullBox('ispe', 0, u32(across, down)),
    fullBox('ispe', 0, u32(shown.width, shown.height)),
    box('irot', u8(turns)),
    box('colr', Buffer.from('nclx'), u16(1, 13, 6), u8(0x80)),
    ...(icc ? [box('colr', Buffer.from('prof'), icc)] : []),
  ];
  const ofWhole = [3, 4, 5, ...(icc ? [6] : [])];
  const items: Item[] = shots.map(({ sample }, index) => ({
    id: index + 1,
    type: 'hvc1',
    data: sample,
    properties: tile ? [1, 2, 5] : [1, ...ofWhole],
    hidden: tile !== undefined,
  }));
  const primary = tile ? items.length + 1 : 1;
  const tiles = items.map(({ id }) => id);
  if (tile) {
    const size = u32(shown.width, shown.height);
    items.push({
      id: primary,
      type: 'grid',
      data: Buffer.concat([u8(0, 1, rows - 1, columns - 1), size]),
      properties: ofWhole,
    });
  }
  const notes = items.length + 1;
  if (exif) items.push({ id: notes, type: 'Exif', data: Buffer.concat([u32(6), exif]), properties: [] });
  const references = [
    ...(tile ? [box('dimg', u16(primary, tiles.length, ...tiles))] : []),
    ...(exif ? [box('cdsc', u16(notes, 1, primary))] : []),
  ];
  return assemble(items, primary, properties, references);
}

function assemble(items: Item[], primary: number, properties: Buffer[], references: Buffer[]) {
  const head = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const meta = (start: number) => {
    let at = start;
    const places = items.map(({ id, data }) => {
      const place = Buffer.concat([u16(id, 0, 0, 1), u32(at, data.length)]);
      at += data.length;
      return place;
    });
    const infos = items.map(({ id, type, hidden }) =>
      box('infe', u8(2, 0, 0, hidden ? 1 : 0), u16(id, 0), Buffer.from(`${type}\0`)),
    );
    const owned = items.filter((item) => item.properties.length > 0);
    const associations = owned.map((item) =>
      Buffer.concat([u16(item.id), u8(item.properties.length, ...item.properties)]),
    );
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(primary)),
      fullBox('iloc', 1, u8(0x44, 0), u16(items.length), ...places),
      fullBox('iinf', 0, u16(items.length), ...infos),
      ...(references.length > 0 ? [fullBox('iref', 0, ...references)] : []),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, u32(owned.length), ...associations)),
    );
  };
  const start = head.length + meta(0).length + 8;
  return Buffer.from(Buffer.concat([head, meta(start), box('mdat', ...items.map(({ data }) => data))]));
}

interface Shot {
  /** The decoder's configuration, a whole `hvcC` box. */
  config: Buffer;
  sample: Buffer;
}

/** One picture in HEVC, the first of an MP4 that holds nothing else. */
async function shoot(
  source: string,
  width: number,
  height: number,
  { pixelFormat = 'yuvj420p' }: HeicPicture,
): Promise<Shot> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-heic-'));
  try {
    const path = join(folder, 'shot.mp4');
    await makeClip(path, {
      // Of one picture alone the encoder does not know the times.
      seconds: 0.2,
      width,
      height,
      audio: false,
      codec: 'libx265',
      pixelFormat,
      source: `${source},scale=out_color_matrix=bt601:out_range=pc`,
    });
    const bytes = await readFile(path);
    const boxAt = (type: string) => {
      const at = bytes.indexOf(type) - 4;
      return bytes.subarray(at, at + bytes.readUInt32BE(at));
    };
    const sizes = boxAt('stsz').subarray(12);
    const size = sizes.readUInt32BE(0) || sizes.readUInt32BE(8);
    return { config: boxAt('hvcC'), sample: boxAt('mdat').subarray(8, 8 + size) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
