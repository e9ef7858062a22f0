import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { getLastAudit } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';

/** When the ledger was last audited, and how much differed. */
export function LastAudit() {
  const text = useText();
  const { data } = useQuery({
    queryKey: ['console', 'last audit'],
    queryFn: ({ signal }) => call(getLastAudit, undefined, { signal }),
    staleTime: 0,
  });
  if (!data) return null;
  const last = data.data;
  return (
    <p className="rounded-panel bg-sunken px-4 py-3 text-[0.9375rem]">
      {last ? (
        <>
          {text('console.lastAudit', {
            at: new Date(last.at),
            months: last.months,
            withdrawals: last.withdrawals,
          })}{' '}
          {last.differences > 0 ? (
            <Link to="?part=differences" className="text-link">
              {text('console.due.audit', { count: last.differences })}
            </Link>
          ) : (
            text('console.auditAgrees')
          )}
        </>
      ) : (
        text('console.noAudit')
      )}
    </p>
  );
}
