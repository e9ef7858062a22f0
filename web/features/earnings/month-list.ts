import { useLingui } from '@lingui/react';

/** Names months as a sentence does: `July 2026 and August 2026`. */
export function useMonthList(): (months: readonly Date[]) => string {
  const { locale } = useLingui().i18n;
  const month = new Intl.DateTimeFormat(`${locale}-IN`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const list = new Intl.ListFormat(`${locale}-IN`);
  return (months) => list.format(months.map((one) => month.format(one)));
}
