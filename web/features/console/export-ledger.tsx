import { useMutation } from '@tanstack/react-query';
import { addressOf } from '#contract/address.ts';
import type { LedgerStep } from '#contract/ledger.ts';
import { exportLedger } from '#contract/ledger-entries.ts';
import { failureText, useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { fetchFile } from './fetch-file.ts';
import { OfFinancialYear } from './of-financial-year.tsx';
import { saveCsv } from './save-csv.ts';
import { useAddress } from './use-address.ts';

/** Saves the entries of a financial year that match the filters of the list. */
export function ExportLedger({ steps }: { steps: readonly LedgerStep[] }) {
  const text = useText();
  const { valueIn } = useAddress();
  const [about, month] = [valueIn('about'), valueIn('month')];
  const step = steps.find((one) => one === valueIn('step'));
  const saving = useMutation({
    mutationFn: async (year: number) => {
      const query = { ...(about && { about }), ...(month && { month }), ...(step && { step }) };
      const csv = await fetchFile(addressOf(exportLedger, { params: { year }, query }));
      saveCsv(`ledger-${year}.csv`, await csv.text());
    },
    onError: (error) => notify('error', failureText(error, text)),
  });
  return (
    <OfFinancialYear
      label={text('console.exportLedger')}
      busy={saving.isPending}
      onChosen={(year) => saving.mutate(year)}
    />
  );
}
