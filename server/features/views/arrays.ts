/**
 * A PostgreSQL array literal of ids, words, numbers or times, which need no quoting. Escaping would cost more than everything else that is
 * done for a view.
 */
export const plain = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
/** Of values in hex. */
export const bytes = (values: readonly (string | null)[]) =>
  plain(values.map((hex) => (hex === null ? 'null' : `"\\\\x${hex}"`)));

/** Views of one batch share few timestamps, so each is formatted once. */
export function times(moments: readonly Date[]): string {
  let [last, text] = [Number.NaN, ''];
  return plain(
    moments.map((moment) => {
      if (moment.getTime() !== last) [last, text] = [moment.getTime(), moment.toISOString()];
      return text;
    }),
  );
}
