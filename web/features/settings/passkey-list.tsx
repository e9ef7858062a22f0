import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { addPasskey, beginPasskey, type Passkey, removePasskey, renamePasskey } from '#contract/passkeys.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { notify } from '#web/ui/notices.ts';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { ListError } from '../lists/list-error.tsx';
import { makePasskey, passkeyProblem } from '../passkeys/authenticator.ts';
import { passkeysQuery } from '../passkeys/passkeys-query.ts';

export const usePasskeys = (userId: string | undefined) =>
  useQuery({ ...passkeysQuery(userId), staleTime: 0 });

/** The passkeys of the account, with buttons to add, rename and remove them. */
export function PasskeyList({ userId }: { userId: string | undefined }) {
  const text = useText();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall();
  const passkeys = usePasskeys(userId);
  const [asksFor, setAsksFor] = useState<Passkey>();
  const [renames, setRenames] = useState<string>();
  // Also after a failure: the list shows the state of the server.
  const refresh = () => queries.invalidateQueries({ queryKey: passkeysQuery(userId).queryKey });
  const remove = useMutation({
    mutationFn: ({ _id: id }: Passkey) =>
      confirmed('remove_passkey', { id }, (options) => call(removePasskey, { params: { id } }, options)),
    onSuccess: () => notify('success', text('settings.passkeyRemoved')),
    onError: (error) => notify('error', failureText(error, text)),
    onSettled: refresh,
  });
  async function add(name: string) {
    const { options } = await call(beginPasskey);
    const body = { credential: await makePasskey(options), name };
    await confirmed('add_passkey', body, (sent) => call(addPasskey, { body }, sent));
    await refresh();
    notify('success', text('settings.passkeyAdded'));
  }

  if (!passkeys.data) return <ListError title={text('settings.passkeysFailed')} list={passkeys} />;
  return (
    <>
      {passkeys.data.length > 0 && (
        <ul className="divide-y divide-line">
          {passkeys.data.map((passkey) =>
            renames === passkey._id ? (
              <li key={passkey._id} className="py-3 first:pt-0">
                <NameForm
                  label={text('settings.passkeyNewName')}
                  name={passkey.name}
                  words={text('settings.passkeySaveName')}
                  run={async (name) => {
                    await call(renamePasskey, { params: { id: passkey._id }, body: { name } });
                    await refresh();
                    setRenames(undefined);
                  }}
                />
              </li>
            ) : (
              <Row
                key={passkey._id}
                passkey={passkey}
                busy={remove.isPending && remove.variables._id === passkey._id}
                onRename={() => setRenames(passkey._id)}
                onRemove={() => setAsksFor(passkey)}
              />
            ),
          )}
        </ul>
      )}
      <NameForm label={text('settings.passkeyName')} name="" words={text('settings.passkeyAdd')} run={add} />
      <Dialog
        open={asksFor !== undefined}
        onClose={() => setAsksFor(undefined)}
        title={text('settings.passkeyRemoveTitle', { name: asksFor?.name ?? '' })}
        closeLabel={text('dialog.close')}
      >
        <p className="mb-5 text-soft">{text('settings.passkeyRemoveText')}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setAsksFor(undefined)}>{text('settings.passkeyKeep')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              // Closed before the dialog that may ask for a confirmation opens.
              setAsksFor(undefined);
              if (asksFor) remove.mutate(asksFor);
            }}
          >
            {text('settings.passkeyRemove')}
          </Button>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}

interface RowProps {
  passkey: Passkey;
  busy: boolean;
  onRename: () => void;
  onRemove: () => void;
}

function Row({ passkey: { name, createdAt, usedAt }, busy, onRename, onRemove }: RowProps) {
  const text = useText();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="text-[0.9375rem] text-soft">
          {usedAt
            ? text('settings.passkeyUsed', { date: new Date(createdAt), used: new Date(usedAt) })
            : text('settings.passkeySince', { date: new Date(createdAt) })}
        </p>
      </div>
      <div className="-mx-3 flex shrink-0">
        <Button kind="quiet" aria-label={text('settings.passkeyRenameThis', { name })} onClick={onRename}>
          {text('settings.passkeyRename')}
        </Button>
        <Button
          kind="quiet"
          busy={busy}
          aria-label={text('settings.passkeyRemoveThis', { name })}
          onClick={onRemove}
        >
          {text('settings.passkeyRemove')}
        </Button>
      </div>
    </li>
  );
}

interface NameFormProps {
  label: string;
  name: string;
  words: string;
  run: (name: string) => Promise<void>;
}

function NameForm({ label, name, words, run }: NameFormProps) {
  const text = useText();
  const form = useForm({ defaultValues: { name } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (fields) => {
    try {
      await run(fields.name);
      form.reset();
    } catch (error) {
      form.setError('name', { message: passkeyProblem(error, text) });
    }
  });
  return (
    <form onSubmit={submit} noValidate method="post" className="grid max-w-md gap-4">
      <TextField
        label={label}
        hint={text('settings.passkeyNameHint')}
        maxLength={60}
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name', { required: text('account.allRequired') })}
      />
      <Button type="submit" busy={isSubmitting} className="justify-self-start">
        {words}
      </Button>
    </form>
  );
}
