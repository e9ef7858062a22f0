import { type RawBuilder, sql } from 'kysely';
import { type RuleTable, type RuleVersions, ruleVersions } from '#contract/rates.ts';

/** A number of the rules as SQL, by the month (YYYY-MM) of a row. */
export function byMonth(
  month: RawBuilder<unknown>,
  numberOf: (rules: RuleTable) => number,
  among: RuleVersions = ruleVersions,
): RawBuilder<number> {
  const [first, ...later] = among;
  if (later.length === 0) return sql.lit(numberOf(first));
  const cases = later
    .toReversed()
    .map((rules) => sql`when ${month} >= ${sql.lit(rules.from)} then ${sql.lit(numberOf(rules))}`);
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(numberOf(first))} end`;
}
