const hour = 60 * 60 * 1000;
/** A new destination is paid this long after it was set. */
const holdFor = 72 * hour;
/** After a way back by a mailed link payouts rest, so that the owner, who may have been away, sees where they go. */
const restFor = 96 * hour;
/**
 * A destination that is set this soon after a way back counts as set at the end of this time. The link may have been read by a thief of the
 * mailbox; the owner has six days to notice.
 */
const unsureFor = 72 * hour;

/** When payouts of a person can be made: the one rule about time. */
export function payableFrom({ held_until, password_reset_at }: Held): Date | null {
  const restsUntil = password_reset_at && new Date(password_reset_at.getTime() + restFor);
  if (!held_until || !restsUntil) return held_until ?? restsUntil;
  return held_until > restsUntil ? held_until : restsUntil;
}

export interface Held {
  held_until: Date | null;
  /** The last way back by a mailed link. */
  password_reset_at: Date | null;
}

/** When a destination that is set now can be paid, as far as it depends on that. */
export function heldUntil({ password_reset_at }: Pick<Held, 'password_reset_at'>, now: Date): Date {
  const unsureUntil = password_reset_at ? password_reset_at.getTime() + unsureFor : 0;
  return new Date(Math.max(now.getTime(), unsureUntil) + holdFor);
}
