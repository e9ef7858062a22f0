/** Damages bytes in one way, mostly where headers and indexes are. */
export function damaged(good: Buffer, random: (below: number) => number): Buffer {
  const bytes = Buffer.from(good);
  const place = () => {
    const near = Math.min(bytes.length, 2000);
    const zone = random(3);
    if (zone === 0) return random(near);
    return zone === 1 ? bytes.length - 1 - random(near) : random(bytes.length);
  };
  const kinds = [
    () => {
      for (let left = 1 + random(20); left > 0; left -= 1) bytes[place()] = random(256);
      return bytes;
    },
    () => {
      const at = Math.min(place(), bytes.length - 4);
      bytes.writeUInt32BE([0, 0xffffffff, 0x7fffffff, 0x80000000, 1][random(5)] ?? 0, at);
      return bytes;
    },
    () => bytes.fill(random(256), place(), place()),
    () => bytes.subarray(0, 1 + random(bytes.length - 1)),
    () => Buffer.concat([bytes.subarray(0, place()), bytes.subarray(place())]),
  ];
  return kinds[random(kinds.length)]?.() ?? bytes;
}
