import { useMutation } from '@tanstack/react-query';
import { csvOf } from '#contract/csv.ts';
import { listYearlyTotals, type YearlyTotal } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { OfFinancialYear } from './of-financial-year.tsx';
import { saveCsv } from './save-csv.ts';

const columns = ['userId', 'username', 'name', 'payments', 'rupees'] as const;

/** What was paid to each creator in a financial year as CSV, as `withdrawals totals` of the command line writes it. */
export function YearlyTotals() {
  const text = useText();
  const saving = useMutation({
    mutationFn: async (year: number) => {
      const all: YearlyTotal[] = [];
      let cursor: string | null = null;
      do {
        const query = { limit: 100, ...(cursor ? { cursor } : {}) };
        const page: { data: YearlyTotal[]; nextCursor: string | null } = await call(listYearlyTotals, {
          params: { year },
          query,
        });
        all.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor);
      const rows = all.map((total) => [`${year}-${year + 1}`, ...columns.map((column) => total[column])]);
      saveCsv(`payouts-${year}.csv`, csvOf([['year', ...columns], ...rows]));
    },
    onError: (error) => notify('error', failureText(error, text)),
  });
  return (
    <OfFinancialYear
      label={text('console.exportTotals')}
      busy={saving.isPending}
      onChosen={(year) => saving.mutate(year)}
    />
  );
}
