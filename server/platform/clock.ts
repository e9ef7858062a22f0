/** Returns the current time; tests and the demo pass their own clock. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** An instant, and the business time zone in which its day and month are read (decisions §4). */
export interface Moment {
  now: Date;
  timeZone: string;
}

/** The calendar month, YYYY-MM, of an instant in a time zone (decisions §4: the business time zone). */
export function monthOf(moment: Date, timeZone: string): string {
  return dayOf(moment, timeZone).slice(0, 7);
}

/** The month before one, YYYY-MM. */
export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}

/** The day that is so many days after one, YYYY-MM-DD; below zero: before it. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** The day before one, YYYY-MM-DD. */
export const dayBefore = (day: string): string => dayAfter(day, -1);

/** The calendar day, YYYY-MM-DD, of an instant in a time zone. */
export function dayOf(moment: Date, timeZone: string): string {
  const quarter = Math.floor(moment.getTime() / quarterHour);
  let known = days.get(timeZone);
  if (!known || known.quarter !== quarter) {
    known = { quarter, day: formatDay(moment, timeZone) };
    days.set(timeZone, known);
  }
  return known.day;
}

// In every time zone midnight is on a quarter of an hour, so one formatted day serves thousands of events.
const quarterHour = 15 * 60 * 1000;
const days = new Map<string, { quarter: number; day: string }>();

function formatDay(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(moment);
  const part = (type: string) => parts.find((piece) => piece.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();
