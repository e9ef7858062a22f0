/** A range of bytes of one file, stored as an immutable object. */
export interface Piece {
  /** The first byte, and the one after the last. */
  from: number;
  to: number;
}

/** The name of a piece is its position in the file. */
export const pieceName = ({ from, to }: Piece): string => `${from}-${to}`;

/** Parses the name of a piece; undefined if it is not a piece. */
export function pieceOf(name: string): Piece | undefined {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(name) ?? [];
  const piece = { from: Number(from), to: Number(to) };
  return piece.from < piece.to ? piece : undefined;
}

/**
 * The pieces that form the beginning of a file without a gap, in order. Pieces may overlap if two processes received the same
 * bytes; then the one that reaches furthest is used.
 */
export function chainOf(pieces: readonly Piece[]): Piece[] {
  const chain: Piece[] = [];
  let end = 0;
  for (;;) {
    const next = pieces
      .filter(({ from, to }) => from <= end && to > end)
      .reduce<Piece | undefined>((best, piece) => (best && best.to >= piece.to ? best : piece), undefined);
    if (!next) return chain;
    chain.push(next);
    end = next.to;
  }
}

/** Length of the file that a chain holds. */
export const lengthOf = (chain: readonly Piece[]): number => chain.at(-1)?.to ?? 0;
