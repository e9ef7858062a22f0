import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { csvOf } from '#contract/csv.ts';
import { listYearlyTotals, type YearlyTotal } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { saveCsv } from './save-csv.ts';

const columns = ['userId', 'username', 'name', 'payments', 'rupees'] as const;
/** So many financial years are offered. */
const years = 5;

/** What was paid to each creator in a financial year as CSV, as `withdrawals totals` of the command line writes it. */
export function YearlyTotals() {
  const text = useText();
  const thisYear = new Date().getFullYear();
  const [year, setYear] = useState(thisYear);
  const nameOf = (of: number) => `${of}–${of + 1}`;
  const saving = useMutation({
    mutationFn: async () => {
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
    <div className="flex flex-wrap items-end gap-3">
      <label className="grid flex-1 gap-1 text-[0.9375rem] font-semibold">
        {text('console.financialYear')}
        <select
          value={year}
          onChange={({ target: { value } }) => setYear(Number(value))}
          className="h-11 w-full rounded-control border border-line-strong bg-surface px-3 pt-0.5 text-base font-normal"
        >
          {Array.from({ length: years }, (_, place) => thisYear - place).map((one) => (
            <option key={one} value={one}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </label>
      <Button busy={saving.isPending} onClick={() => saving.mutate()}>
        {text('console.exportTotals')}
      </Button>
    </div>
  );
}
