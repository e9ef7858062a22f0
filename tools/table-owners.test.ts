import { expect, test } from 'vitest';
import { foreignTables, tableViolations } from './table-owners.ts';

const contact = 'server/features/contact/contact.queries.ts';
/** The violations in this one file. */
const violationsOf = (source: string) =>
  tableViolations([{ path: contact, source }]).filter((sentence) => sentence.startsWith(contact));

test.each([
  [
    "db.selectFrom('messages').innerJoin('sessions as s', 's.person_id', 'id')",
    'reads',
    'sessions',
    'accounts',
  ],
  ["db.insertInto(\n  'reports',\n)", 'writes', 'reports', 'moderation'],
  ['sql`delete from watch_clocks where reported_at < now()`', 'writes', 'watch_clocks', 'views'],
  ['sql`select 1 from messages join\n pushes on true`', 'reads', 'pushes', 'notifications'],
  ["db.updateTable('people').set({ name })", 'writes', 'people', 'people'],
  ["const tables = { reel: 'reels' }", 'reads', 'reels', 'reels'],
])('a query of a table of another feature is refused: %s', (source, does, table, owner) => {
  expect(violationsOf(source)).toEqual([`${contact} ${does} the table ${table}, which belongs to ${owner}.`]);
});

test.each([
  "db.deleteFrom('messages')",
  "db.selectFrom('messages').innerJoin('people', 'people.id', 'person_id')",
  '/** Rows are copied from reels. */',
])('own tables, reading people, and comments are allowed: %s', (source) => {
  expect(violationsOf(source)).toEqual([]);
});

test('an exception that no query needs is reported', () => {
  expect(tableViolations([])).toContain('tools/table-owners.ts allows in vain: site reads reels.');
});

test('the features respect the owners of tables and their exceptions', () => {
  expect(foreignTables()).toEqual([]);
});
