import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { getPush, setPush, unsubscribePush } from '#contract/push.ts';
import { type PushGroup, pushGroups } from '#contract/push-groups.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ListError } from '../lists/list-error.tsx';
import { canPush, NotAllowed, subscriptionOf, switchOff, switchOn } from './browser-push.ts';

const keyOf = (userId: string | undefined) => ['push', userId];

const usePush = (userId: string | undefined) =>
  useQuery({
    queryKey: keyOf(userId),
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const [push, own] = await Promise.all([
        call(getPush, undefined, { signal }),
        // A browser without support for push messages has no subscription.
        subscriptionOf(userId).catch(() => null),
      ]);
      return { ...push, isOn: own !== null, canPush: canPush() };
    },
  });

/** Which notifications are pushed to a person's devices, and whether to this browser; nothing if the site sends no push messages. */
export default function PushSettings({ userId }: { userId: string | undefined }) {
  const text = useText();
  const queries = useQueryClient();
  const push = usePush(userId);
  const [problem, setProblem] = useState<string>();
  const refresh = () => queries.invalidateQueries({ queryKey: keyOf(userId) });
  // A checkbox must show the click at once; the server's answer replaces it.
  const [chosen, setChosen] = useState<PushGroup[]>();
  const choose = useMutation({
    // One request at a time, so that the last click wins.
    scope: { id: 'push groups' },
    mutationFn: (off: PushGroup[]) => call(setPush, { body: { off } }),
    onError: (error) => notify('error', failureText(error, text)),
    onSettled: refresh,
  });
  const turn = useMutation({
    async mutationFn({ id, publicKey, isOn }: { id: string; publicKey: string; isOn: boolean }) {
      setProblem(undefined);
      if (!isOn) return await switchOn(id, publicKey);
      const endpoint = await switchOff();
      // If this request fails, the server learns it from the push service.
      if (endpoint) await call(unsubscribePush, { body: { endpoint } }).catch(() => undefined);
    },
    onSuccess: (_, { isOn }) => notify('success', text(isOn ? 'settings.pushIsOff' : 'settings.pushIsOn')),
    onError: (error) => setProblem(problemOf(error)),
    onSettled: refresh,
  });
  function problemOf(error: unknown): string {
    if (isApiError(error)) return failureText(error, text);
    if (!(error instanceof NotAllowed)) return text('settings.pushImpossible');
    return text(error.isDecided ? 'settings.pushDenied' : 'settings.pushUndecided');
  }

  if (push.isPending) return <Skeleton className="h-72 rounded-panel" />;
  if (!push.data) return <ListError title={text('settings.pushFailed')} list={push} />;
  const { publicKey, app, isOn } = push.data;
  if (!publicKey && !app) return null;
  const off = chosen ?? push.data.off;
  function turnOff(wanted: PushGroup[]): void {
    setChosen(wanted);
    // Called only for the last of several changes.
    choose.mutate(wanted, { onSettled: () => setChosen(undefined) });
  }
  return (
    <>
      <fieldset>
        <legend className="mb-1 text-soft">
          {text(publicKey ? 'settings.pushText' : 'settings.pushApp')}
        </legend>
        {pushGroups.map((group) => (
          <Checkbox
            key={group}
            label={text(`settings.push.${group}`)}
            checked={!off.includes(group)}
            onChange={({ target }) =>
              turnOff(target.checked ? off.filter((one) => one !== group) : [...off, group])
            }
          />
        ))}
      </fieldset>
      <p className="text-soft">{text('settings.pushAccount')}</p>
      {publicKey && !push.data.canPush && <p className="text-soft">{text('settings.pushUnknown')}</p>}
      {publicKey && push.data.canPush && userId && (
        <>
          <FormError message={problem} />
          <Button
            className="justify-self-start"
            busy={turn.isPending}
            onClick={() => turn.mutate({ id: userId, publicKey, isOn })}
          >
            {text(isOn ? 'settings.pushOff' : 'settings.pushOn')}
          </Button>
        </>
      )}
    </>
  );
}
