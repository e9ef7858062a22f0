/** Where the time comes from; tests and the demo bring their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** The calendar month, YYYY-MM, of a moment in a time zone (decisions §4: the business time zone). */
export function monthOf(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' });
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(moment);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();
