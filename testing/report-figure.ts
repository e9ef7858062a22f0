/** Prints a figure that a test has measured, during `npm run reliability`. */
export function figure(what: string, measured: Record<string, number | string>): void {
  if (!process.env.FIGURES) return;
  const said = Object.entries(measured).map(([name, value]) => {
    const shown = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : value;
    return `  ${name}: ${shown}`;
  });
  process.stdout.write(`\n${what}\n${said.join('\n')}\n`);
}

/** Median and maximum of some figures. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const median = sorted[sorted.length >> 1] ?? Number.NaN;
  return `median ${median.toFixed(2)}, most ${(sorted.at(-1) ?? Number.NaN).toFixed(2)}`;
}
