import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';

/** So many financial years are offered. */
const years = 5;

interface OfFinancialYearProps {
  label: string;
  busy: boolean;
  /** The year in which it begins. */
  onChosen: (year: number) => void;
}

/** A button for a financial year. */
export function OfFinancialYear({ label, busy, onChosen }: OfFinancialYearProps) {
  const text = useText();
  const thisYear = new Date().getFullYear();
  const [year, setYear] = useState(thisYear);
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
              {one}–{one + 1}
            </option>
          ))}
        </select>
      </label>
      <Button busy={busy} onClick={() => onChosen(year)}>
        {label}
      </Button>
    </div>
  );
}
