import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';

/** The notes below Earning History, with the wording of the specification (§2). */
export function HistoryNotes() {
  const text = useText();
  const { minimumWithdrawalPaise } = useSite().rates;
  return (
    <section aria-labelledby="notes" className="mt-8 rounded-panel bg-sunken px-5 py-4">
      <h2 id="notes" className="text-lg">
        {text('history.notes')}
      </h2>
      <ul className="mt-2 list-disc space-y-1 pl-5 marker:text-accent-text">
        <li>{text('history.note1')}</li>
        <li>{text('history.note2')}</li>
        <li>{text('history.note3', { rupees: minimumWithdrawalPaise / 100 })}</li>
      </ul>
    </section>
  );
}
