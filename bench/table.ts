const begin = '<!-- measured -->';
const end = '<!-- /measured -->';
const head = ['measurement', 'what', 'ours', 'reference', 'ratio', 'target', 'met', 'measured'];

/** Replaces the rows of one measurement in the page; rows of other measurements stay. */
export function tableWith(
  page: string,
  name: string,
  rows: readonly (readonly string[])[],
  { order, machine }: { order: readonly string[]; machine: string },
): string {
  const [before, rest] = page.split(begin);
  const [old, after] = rest?.split(end) ?? [];
  if (before === undefined || old === undefined || after === undefined)
    throw new Error(`the page has no place for the figures between ${begin} and ${end}`);
  const otherRows = old
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([first]) => first !== `\`${name}\``);
  const all = [...otherRows, ...rows.map(([first, ...others]) => [`\`${first}\``, ...others])];
  const place = (row: readonly string[]) => order.indexOf(row[0]?.slice(1, -1) ?? '');
  const sorted = all.filter((row) => place(row) >= 0).sort((one, other) => place(one) - place(other));
  const table = [head, head.map(() => '---'), ...sorted].map((row) => `| ${row.join(' | ')} |`);
  return [before, begin, `\n${machine}\n\n`, table.join('\n'), '\n', end, after].join('');
}
