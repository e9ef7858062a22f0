interface Bar {
  /** Of a day or month. */
  name: string;
  /** One for each column; null where it is not known. */
  values: readonly (number | null)[];
}

interface BarChartProps {
  /** Oldest first. */
  bars: readonly Bar[];
  /** The heads of the table: of the names, and of each value. */
  columns: readonly [name: string, ...values: string[]];
  /** Which values are drawn, the largest first; the second in front of the first, in another colour. */
  drawn?: readonly [tall: number, low?: number];
  tableTitle: string;
  format: (value: number) => string;
}

const colours = ['var(--bar)', 'var(--accent)'];

/** Bars of one or two values over time. The same numbers are a table, folded below, the newest first. */
export function BarChart({ bars, columns, drawn = [0], tableTitle, format }: BarChartProps) {
  const [nameColumn, ...valueColumns] = columns;
  const series = drawn.filter((column) => column !== undefined);
  const most = Math.max(...bars.flatMap(({ values }) => series.map((column) => values[column] ?? 0)), 1);
  const colourOf = (place: number) => colours[series.length > 1 ? place : 1];
  return (
    <>
      <svg
        aria-hidden
        viewBox={`0 0 ${bars.length * 10} 100`}
        preserveAspectRatio="none"
        className="mt-3 h-32 w-full rounded-md bg-sunken"
      >
        {bars.map(({ name, values }, at) => (
          <g key={name}>
            {series.map((column, place) => {
              const height = (Math.max(values[column] ?? 0, 0) / most) * 100;
              return (
                <rect
                  key={column}
                  x={at * 10 + 1}
                  width="8"
                  y={100 - height}
                  height={height}
                  fill={colourOf(place)}
                />
              );
            })}
          </g>
        ))}
      </svg>
      <div className="figures mt-1 flex justify-between text-sm text-soft">
        {[...new Set([bars[0]?.name, bars.at(-1)?.name])].map(
          (name) => name && <span key={name}>{name}</span>,
        )}
      </div>
      {series.length > 1 && (
        <ul className="mt-2 flex gap-5 text-[0.9375rem]">
          {series.map((column, place) => (
            <li key={column} className="flex items-center gap-2">
              <span aria-hidden className="size-3 rounded-sm" style={{ background: colourOf(place) }} />
              {valueColumns[column]}
            </li>
          ))}
        </ul>
      )}
      <details className="mt-3">
        <summary className="min-h-11 cursor-pointer content-center font-semibold underline underline-offset-4">
          {tableTitle}
        </summary>
        <table className="figures w-full text-left text-[0.9375rem]">
          <thead>
            <tr>
              <th scope="col" className="py-1">
                {nameColumn}
              </th>
              {valueColumns.map((column) => (
                <th key={column} scope="col" className="py-1 text-right">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ name, values }) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="py-1 font-normal">
                  {name}
                </th>
                {values.map((value, place) => (
                  <td key={valueColumns[place]} className="py-1 text-right">
                    {value === null ? '–' : format(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
