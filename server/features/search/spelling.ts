/** Vowels and `h` differ between spellings of one word, so they count half. */
const halves = new Set('aeiouhy');
const weightsOf = (key: string) => Array.from(key, (letter) => (halves.has(letter) ? 0.5 : 1));

/** How far a word may be from the one that was meant. */
const tolerance = (word: string) => (word.length <= 4 ? 0.5 : word.length <= 6 ? 1 : 2);

/**
 * How far the key of a word is from another one, by letters that are added, missing, other or swapped; undefined if it is too far to be
 * the one that was meant.
 */
export function distance(word: string, other: string): number | undefined {
  const most = tolerance(word);
  if (Math.abs(word.length - other.length) / 2 > most) return undefined;
  const [weights, otherWeights] = [weightsOf(word), weightsOf(other)];
  let beforeLast: number[] = [];
  let last = [0];
  for (const [j, weight] of otherWeights.entries()) last.push((last[j] as number) + weight);
  for (const [i, weight] of weights.entries()) {
    const row = [(last[0] as number) + weight];
    for (const [j, otherWeight] of otherWeights.entries()) {
      const isSame = word[i] === other[j];
      const isSwapped = i > 0 && j > 0 && word[i] === other[j - 1] && word[i - 1] === other[j];
      row.push(
        Math.min(
          (last[j + 1] as number) + weight,
          (row[j] as number) + otherWeight,
          (last[j] as number) + (isSame ? 0 : Math.max(weight, otherWeight)),
          isSwapped ? (beforeLast[j - 1] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  const far = last[other.length] as number;
  return far <= most ? far : undefined;
}
