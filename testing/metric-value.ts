/**
 * The value of a metric in Prometheus' text, named with its labels in any order (`jhalak_jobs_total{queue="reel"}`);
 * undefined if it is missing.
 */
export function figureIn(
  text: string,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  for (const line of text.split('\n')) {
    const [, found, inside = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found !== name) continue;
    const has = new Map([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', of = '']) => [key, of]));
    if (Object.entries(labels).every(([key, of]) => has.get(key) === of)) return Number(value);
  }
  return undefined;
}
