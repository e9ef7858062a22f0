/** How far two keys are from each other; vowels and `h` differ between spellings of one word, so they count half. */
export function distance(one: string, other: string): number {
  const rows: number[][] = [[0]];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= one.length; i += 1) {
    const row: number[] = [];
    rows[i] = row;
    for (let j = 0; j <= other.length; j += 1) {
      const [a, b] = [one[i - 1] ?? '', other[j - 1] ?? ''];
      row[j] =
        i === 0 && j === 0
          ? 0
          : Math.min(
              at(i - 1, j) + weight(a),
              (row[j - 1] ?? Number.POSITIVE_INFINITY) + weight(b),
              at(i - 1, j - 1) + (a === b ? 0 : Math.max(weight(a), weight(b))),
              a !== '' && a === other[j - 2] && b === one[i - 2]
                ? at(i - 2, j - 2) + 1
                : Number.POSITIVE_INFINITY,
            );
    }
  }
  return at(one.length, other.length);
}

const weight = (letter: string) => (/[aeiouhy]/.test(letter) ? 0.5 : 1);

/** How far a word may be from the one that was meant. */
export const tolerance = (word: string) => (word.length <= 4 ? 0.5 : word.length <= 6 ? 1 : 2);
