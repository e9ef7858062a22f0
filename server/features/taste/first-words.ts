const letters = { most: 60, bytes: 240 };
const segmenter = new Intl.Segmenter();

/** The beginning of a caption: whole letters, as a reader counts them. */
export function firstWords(caption: string): string {
  const shown: string[] = [];
  let bytes = 0;
  for (const { segment } of segmenter.segment(caption.trim())) {
    bytes += Buffer.byteLength(segment);
    if (shown.length === letters.most || bytes > letters.bytes) return `${shown.join('').trimEnd()}…`;
    shown.push(segment);
  }
  return shown.join('');
}
