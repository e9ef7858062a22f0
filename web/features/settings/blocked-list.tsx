import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '#contract/people.ts';
import { getBlocked, unblock } from '#contract/relations.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { useList } from '../lists/use-list.ts';

export const useBlocked = (userId: string | undefined) =>
  useList<Person>({
    queryKey: ['blocked', userId],
    fetchPage: async (cursor, signal) => {
      const query = cursor ? { cursor } : {};
      const { data, nextCursor } = await call(getBlocked, { query }, { signal });
      return { items: data, nextCursor };
    },
    start: null,
    first: null,
  });

/** The people whom the account has blocked; each can be unblocked. */
export function BlockedList({ userId }: { userId: string | undefined }) {
  const text = useText();
  const queries = useQueryClient();
  const blocked = useBlocked(userId);
  const end = useMutation({
    mutationFn: ({ _id }: Person) => call(unblock, { params: { userId: _id } }),
    onSuccess: (_, { name }) => notify('success', text('settings.unblocked', { name })),
    onError: (error) => notify('error', failureText(error, text)),
    // Every list may show this person again.
    onSettled: () => queries.invalidateQueries(),
  });

  if (!blocked.items) return <ListError title={text('settings.blockedFailed')} list={blocked} />;
  if (blocked.items.length === 0) return <p>{text('settings.blockedNone')}</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {blocked.items.map((person) => (
          <li key={person._id} className="flex items-center justify-between gap-4 py-3 first:pt-0">
            <div className="flex min-w-0 items-center gap-3">
              <Avatar src={person.profilePic} name={person.username} />
              <p className="min-w-0 wrap-anywhere">
                <span className="block font-semibold">{person.name}</span>
                <span className="block text-[0.9375rem] text-soft">@{person.username}</span>
              </p>
            </div>
            <Button
              kind="quiet"
              className="shrink-0"
              busy={end.isPending && end.variables._id === person._id}
              aria-label={text('settings.unblockThis', { name: person.name })}
              onClick={() => end.mutate(person)}
            >
              {text('settings.unblock')}
            </Button>
          </li>
        ))}
      </ul>
      <EndOfList list={blocked} pageAt={() => '/Settings'} failed={text('settings.blockedFailed')} />
    </>
  );
}
