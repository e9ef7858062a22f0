import { bestOf, type Split } from './ratings.ts';

/** Chosen on the validation split, of 50, 100, 200, 400, 800 and 1,500. */
const regularisation = 100;

/**
 * EASE (Steck 2019, https://arxiv.org/abs/1905.03375): the linear model of works by works with a zero diagonal, B = I − P / diag(P) with
 * P = (XᵀX + λI)⁻¹; the scores of a person are the sum of the rows of what they watched.
 */
export function byEase({ known, works }: Split): number[][] {
  const gram = new Float64Array(works * works);
  for (const watched of known)
    for (const one of watched)
      for (const other of watched) {
        const place = one * works + other;
        gram[place] = (gram[place] ?? 0) + 1;
      }
  for (let work = 0; work < works; work += 1) {
    const place = work * works + work;
    gram[place] = (gram[place] ?? 0) + regularisation;
  }
  const inverse = invert(gram, works);
  return known.map((watched) => {
    const scores = new Float64Array(works);
    for (const one of watched)
      for (let other = 0; other < works; other += 1)
        if (other !== one)
          scores[other] =
            (scores[other] ?? 0) -
            (inverse[one * works + other] ?? 0) / (inverse[other * works + other] ?? 1);
    return bestOf(scores, watched);
  });
}

/** Inverts a symmetric positive definite matrix in its place, by Gauss and Jordan: it needs no pivots. */
function invert(matrix: Float64Array, size: number): Float64Array {
  for (let pivot = 0; pivot < size; pivot += 1) {
    const pivotRow = matrix.subarray(pivot * size, (pivot + 1) * size);
    const inverse = 1 / (pivotRow[pivot] ?? Number.NaN);
    pivotRow[pivot] = 1;
    for (let column = 0; column < size; column += 1) pivotRow[column] = (pivotRow[column] ?? 0) * inverse;
    for (let row = 0; row < size; row += 1) {
      if (row === pivot) continue;
      const other = matrix.subarray(row * size, (row + 1) * size);
      const factor = other[pivot] ?? 0;
      if (factor === 0) continue;
      other[pivot] = 0;
      for (let column = 0; column < size; column += 1)
        other[column] = (other[column] ?? 0) - factor * (pivotRow[column] ?? 0);
    }
  }
  return matrix;
}
