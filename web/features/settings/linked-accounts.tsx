import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { googleLink, linkGoogle, unlinkGoogle } from '#contract/identity.ts';
import { call } from '#web/api.ts';
import { failureText, T, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useSite } from '../chrome/use-site.ts';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { ListError } from '../lists/list-error.tsx';
import { GoogleButton } from '../session/google-button.tsx';
import { useGoogle } from '../session/use-google.ts';

const keyOf = (userId: string | undefined) => ['linked-accounts', userId];

export const useLinked = (userId: string | undefined) =>
  useQuery({
    queryKey: keyOf(userId),
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(googleLink, undefined, { signal })).accounts,
  });

/** Accounts of other services that can be used to log in, with buttons to link and unlink them. */
export function LinkedAccounts({ userId }: { userId: string | undefined }) {
  const text = useText();
  const { google, mail } = useSite();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall();
  const [asks, setAsks] = useState(false);
  const linked = useLinked(userId);
  const refresh = () => queries.invalidateQueries({ queryKey: keyOf(userId) });
  const { begin, busy, problem } = useGoogle(async (idToken) => {
    const body = { idToken };
    await confirmed('link_google', body, (options) => call(linkGoogle, { body }, options));
    await refresh();
    notify('success', text('settings.linkedNow'));
  }, text('account.linkFailed'));
  const unlink = useMutation({
    mutationFn: () => confirmed('unlink_google', {}, (options) => call(unlinkGoogle, undefined, options)),
    onSuccess: async () => {
      await refresh();
      notify('success', text('settings.unlinkedNow'));
    },
  });

  if (!linked.data) return <ListError title={text('settings.linkedFailed')} list={linked} />;
  if (linked.data.length === 0)
    return google ? (
      <>
        <p className="text-soft">{text('settings.linkText')}</p>
        <FormError message={problem} />
        <GoogleButton
          words={text(busy ? 'account.googleWaiting' : 'account.linkGoogle')}
          busy={busy}
          onClick={begin}
        />
        {dialog}
      </>
    ) : (
      <p className="text-soft">{text('settings.linkOff')}</p>
    );
  const { error } = unlink;
  const isKept = isApiError(error) && error.code === 'no_password';
  return (
    <>
      <ul className="divide-y divide-line">
        {linked.data.map(({ email, linkedAt }) => (
          <li key={linkedAt} className="py-3 first:pt-0">
            <p className="font-semibold">{email ?? text('settings.unknownAddress')}</p>
            <p className="text-[0.9375rem] text-soft">
              {text('settings.linkedAt', { date: new Date(linkedAt) })}
            </p>
          </li>
        ))}
      </ul>
      <FormError message={error ? failureText(error, text) : undefined} />
      {isKept && mail && (
        <p className="text-soft">
          <T
            id="settings.choosePassword"
            parts={{ a: <Link to="/ForgotPassword" className="text-link" /> }}
          />
        </p>
      )}
      <Button className="justify-self-start" onClick={() => setAsks(true)}>
        {text('settings.unlink')}
      </Button>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={text('settings.unlinkTitle')}
        closeLabel={text('dialog.close')}
      >
        <p className="mb-5 text-soft">{text('settings.unlinkText')}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setAsks(false)}>{text('settings.keepLinked')}</Button>
          <Button
            kind="danger"
            busy={unlink.isPending}
            onClick={() => {
              // Closed before the dialog that may ask for a confirmation opens.
              setAsks(false);
              unlink.mutate();
            }}
          >
            {text('settings.unlink')}
          </Button>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}
