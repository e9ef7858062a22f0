/** Formats of numbers and dates that messages refer to by name. The format `short` is made by `shortNumber` instead. */
export const formats = {
  megabytes: { maximumFractionDigits: 1 },
  /** A share: `{share, number, percent}` of 0.9 is 90%. */
  percent: { style: 'percent' },
  /** Whole rupees: `{least, number, rupees}` is ₹1. */
  rupees: { style: 'currency', currency: 'INR', maximumFractionDigits: 0 },
  /** Rupees and paise: `{rupees, number, money}` is ₹1,234.50. */
  money: { style: 'currency', currency: 'INR' },
  /** A calendar month, given as its first moment in UTC: `{month, date, month}` is October 2026. */
  month: { month: 'long', year: 'numeric', timeZone: 'UTC' },
  /** Without the year: `{month, date, monthOnly}` is October. */
  monthOnly: { month: 'long', timeZone: 'UTC' },
  monthShort: { month: 'short', timeZone: 'UTC' },
} satisfies Record<string, Intl.NumberFormatOptions | Intl.DateTimeFormatOptions>;
