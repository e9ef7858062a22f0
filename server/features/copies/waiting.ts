import type { TakenDownAs } from '#server/platform/database/tables.ts';

/** Why a work is hidden from everybody but its owner. The reason is an operator's. */
export interface TakeDown {
  as: TakenDownAs;
  reason: string | null;
}

/** It looks like content that was taken down, and nobody has looked at it. */
export const waiting: TakeDown = { as: 'waiting', reason: null };

const byWeight: readonly TakenDownAs[] = ['waiting', 'copy', 'content'];

/** Whether a work is hidden for no less already: content that is taken down stays that, and a copy can still turn out to be forbidden. */
export const isDownAlready = (work: { taken_down_as: TakenDownAs | null }, why: TakeDown) =>
  work.taken_down_as !== null && byWeight.indexOf(work.taken_down_as) >= byWeight.indexOf(why.as);

/** What the owner of a hidden work reads; null if it is not hidden. */
export const hiddenBecause = (row: {
  taken_down_as: TakenDownAs | null;
  taken_down_reason: string | null;
}) =>
  row.taken_down_as === 'waiting'
    ? 'It looks like something that was taken down. It becomes public if a person finds that it is not.'
    : row.taken_down_reason;

/** Whether a work is hidden until an operator has compared it with what was taken down. */
export const waitsOf = ({ taken_down_as: as }: { taken_down_as: TakenDownAs | null }) =>
  as === 'waiting' ? { waits: true as const } : {};
