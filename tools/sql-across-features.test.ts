import { expect, test } from 'vitest';
import { sqlAcrossFeatures, sqlImports } from './sql-across-features.ts';

const audit = 'server/features/earnings/audit.queries.ts';
/** What is found if the audit imports `wanted` from a file with this source. */
const foundIn = (source: string) =>
  sqlAcrossFeatures([
    { path: 'server/features/views/established.queries.ts', source },
    { path: audit, source: "import { other, wanted } from '../views/established.ts';\n" },
    { path: 'server/features/views/views.ts', source: "import { wanted } from './established.ts';\n" },
  ]);

test.each([
  'export const wanted = sql`v.views >= 5`;',
  'export const wanted = sql<boolean>`v.views >= 5`;',
  "export const wanted = sql.raw('views');",
  'export const wanted = (id: string) =>\n  sql<boolean>`id = creator_id`;',
  'export function wanted(\n  id: string,\n): RawBuilder<boolean> {\n  return sql`id = creator_id`;\n}',
])(
  'a piece of SQL from another feature is refused, also one that a file of rules passes on: %s',
  (source) => {
    expect(foundIn(source)).toEqual([`${audit} imports the SQL wanted of views.`]);
  },
);

test.each([
  'export async function wanted(db) {\n  const due = sql`now()`;\n  return await db.execute(due);\n}',
  'const wanted = sql`now()`;',
  'export const wanted = 5;\n\nexport const unused = sql`now()`;',
])('values are allowed: %s', (source) => {
  expect(foundIn(source)).toEqual([]);
});

test('no feature imports SQL of another one', () => {
  expect(sqlImports()).toEqual([]);
});
