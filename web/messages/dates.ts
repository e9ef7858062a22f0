/** The time zone of the site. The root sets it, so that server and browser show the same day (decision 0031). */
let timeZone = 'Asia/Kolkata';

export function setTimeZone(name: string): void {
  timeZone = name;
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const styles = {
  /** 22 Nov 2026 */
  day,
  /** 22 Nov 2026, 4:08 pm */
  moment: { ...day, hour: 'numeric', minute: '2-digit', hour12: true },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof styles;
export const dateStyles = Object.keys(styles) as DateStyle[];

// Creating a formatter is far more expensive than using it, so it is cached.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${Object.keys(options)}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(key, formatter);
  }
  return formatter;
}

/** Formats a date with the day first, in both languages. */
export const dateIn = (lang: string, style: DateStyle, date: Date): string =>
  formatterOf(`${lang}-IN`, styles[style]).format(date);
