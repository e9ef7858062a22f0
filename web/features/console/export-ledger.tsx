import { useMutation } from '@tanstack/react-query';
import { addressOf } from '#contract/address.ts';
import type { LedgerStep } from '#contract/ledger.ts';
import { exportLedger } from '#contract/ledger-entries.ts';
import { answerOf } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { currentToken } from '../session/session.ts';
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
      saveCsv(`ledger-${year}.csv`, await fetchCsv(addressOf(exportLedger, { params: { year }, query })));
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

/** The response of a call that answers a file; browsers send no token with a download of their own. */
async function fetchCsv(address: string): Promise<string> {
  const token = currentToken();
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  return response.ok ? body : answerOf(response.status, body, token);
}
