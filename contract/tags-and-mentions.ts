/*
 * How tags and mentions are written in captions and comments. Neither has the flag `i`: with it V8 takes tens of milliseconds to compile the
 * classes of letters.
 */

/** A username after an @ that is no part of an email address; a full stop or a dash at its end belongs to the sentence. */
export const mention =
  /(?<![\p{L}\p{M}\p{N}._-])@(?<name>[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}._-]{0,28}[\p{L}\p{M}\p{N}_-])?)(?![\p{L}\p{M}\p{N}])/gu;

/** A word after a #, with at least one letter and at most 60 from the first letter on. */
export const tag =
  /(?<![\p{L}\p{M}\p{N}_&])#(?<tag>[\p{N}_]*\p{L}[\p{L}\p{M}\p{N}_]{0,59})(?![\p{L}\p{M}\p{N}_])/gu;
