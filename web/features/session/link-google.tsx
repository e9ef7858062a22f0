import { useQuery, useQueryClient } from '@tanstack/react-query';
import { googleLink, linkGoogle } from '#contract/identity.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { GoogleButton } from './google-button.tsx';
import { useGoogle } from './use-google.ts';

/** Shows that Google is linked, or a button that links it; nothing until this is known. */
export function LinkGoogle({ userId }: { userId: string }) {
  const text = useText();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall();
  const queryKey = ['google-link', userId];
  const { data: linked } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(googleLink, undefined, { signal })).linked,
  });
  const { begin, busy, problem } = useGoogle(async (idToken) => {
    const body = { idToken };
    await confirmed('link_google', body, (options) => call(linkGoogle, { body }, options));
    queries.setQueryData(queryKey, true);
    notify('success', text('account.googleLinked'));
  }, text('account.linkFailed'));

  if (linked === undefined) return null;
  if (linked) return <p className="text-soft">{text('account.googleLinked')}</p>;
  return (
    <div className="grid gap-3">
      <FormError message={problem} />
      <GoogleButton
        words={text(busy ? 'account.googleWaiting' : 'account.linkGoogle')}
        busy={busy}
        onClick={begin}
      />
      {dialog}
    </div>
  );
}
