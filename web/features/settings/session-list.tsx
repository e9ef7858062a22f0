import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '#contract/api-error.ts';
import { endOtherSessions, endSession, listSessions, type Session } from '#contract/sessions.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { ListError } from '../lists/list-error.tsx';

const keyOf = (userId: string | undefined) => ['sessions', userId];

export const useSessions = (userId: string | undefined) =>
  useQuery({
    queryKey: keyOf(userId),
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(listSessions, undefined, { signal })).data,
  });

/** The sessions of the account; each except this one can be ended. */
export function SessionList({ userId }: { userId: string | undefined }) {
  const text = useText();
  const queries = useQueryClient();
  const sessions = useSessions(userId);
  // Also after a failure: the list shows the state of the server.
  const onSettled = () => queries.invalidateQueries({ queryKey: keyOf(userId) });
  const onError = (error: Error) => {
    if (isApiError(error) && error.status === 404) return;
    notify('error', failureText(error, text));
  };
  const end = useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    onSuccess: () => notify('success', text('settings.ended')),
    onError,
    onSettled,
  });
  const endOthers = useMutation({
    mutationFn: () => call(endOtherSessions),
    onSuccess: () => notify('success', text('settings.othersEnded')),
    onError,
    onSettled,
  });

  if (!sessions.data) return <ListError title={text('settings.sessionsFailed')} list={sessions} />;
  const ending = end.isPending ? end.variables : undefined;
  return (
    <>
      <ul className="divide-y divide-line">
        {sessions.data.map((session) => (
          <Row
            key={session._id}
            session={session}
            busy={ending === session._id}
            onEnd={() => end.mutate(session._id)}
          />
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <Button className="justify-self-start" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {text('settings.endOthers')}
        </Button>
      )}
    </>
  );
}

function Row({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) {
  const text = useText();
  const device = session.device ?? text('settings.unknownDevice');
  return (
    <li className="flex items-center justify-between gap-4 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-semibold">{device}</p>
        <p className="text-[0.9375rem] text-soft">
          {text('settings.network', { network: session.network ?? text('settings.unknownNetwork') })}
        </p>
        <p className="text-[0.9375rem] text-soft">
          {session.current ? text('settings.thisDevice') : <TimeAgo at={session.usedAt} />}
        </p>
      </div>
      {!session.current && (
        <Button
          kind="quiet"
          className="shrink-0"
          busy={busy}
          aria-label={text('settings.endThis', { device })}
          onClick={onEnd}
        >
          {text('settings.end')}
        </Button>
      )}
    </li>
  );
}
