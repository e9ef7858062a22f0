/** A run of bytes of one file, as an object of its own that is never written again. */
export interface Piece {
  /** First byte, and the first one after it. */
  from: number;
  to: number;
}

/** What a piece is called says where in the file it stands. */
export const pieceName = ({ from, to }: Piece): string => `${from}-${to}`;

/** The piece of this name; undefined where it is none of ours. */
export function pieceOf(name: string): Piece | undefined {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(name) ?? [];
  const piece = { from: Number(from), to: Number(to) };
  return piece.from < piece.to ? piece : undefined;
}

/**
 * The pieces that make up the beginning of a file without a gap, in order. Pieces may overlap, as they do when two
 * processes were sent the same bytes: of those that go on from where the one before ends, the longest is taken.
 */
export function chainOf(pieces: readonly Piece[]): Piece[] {
  const chain: Piece[] = [];
  let end = 0;
  for (;;) {
    const next = pieces
      .filter(({ from, to }) => from <= end && to > end)
      .reduce<Piece | undefined>((best, one) => (best && best.to >= one.to ? best : one), undefined);
    if (!next) return chain;
    chain.push(next);
    end = next.to;
  }
}

/** How much of a file a chain holds. */
export const lengthOf = (chain: readonly Piece[]): number => chain.at(-1)?.to ?? 0;
