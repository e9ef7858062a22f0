import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ifscWithZero, isSameNumber } from '#contract/destination-fields.ts';
import { mergerOf } from '#contract/merged-banks.ts';
import { setDestination } from '#contract/payouts.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { showFailure } from '../session/form-errors.ts';
import { keepDestination } from './use-destination.ts';

interface Fields {
  kind: 'upi' | 'bank';
  vpa: string;
  vpaAgain: string;
  account: string;
  accountAgain: string;
  ifsc: string;
  name: string;
}
const empty: Fields = {
  kind: 'upi',
  vpa: '',
  vpaAgain: '',
  account: '',
  accountAgain: '',
  ifsc: '',
  name: '',
};
const names = ['vpa', 'vpaAgain', 'account', 'accountAgain', 'ifsc', 'name'] as const;
const kinds = ['upi', 'bank'] as const;

interface DestinationFormProps {
  userId: string | undefined;
  onSaved: () => void;
  /** Absent where there is nothing to go back to. */
  onCancel?: (() => void) | undefined;
}

/** Asks for a UPI id or a bank account. What sends money to somebody else after a slip is typed twice. */
export function DestinationForm({ userId, onSaved, onCancel }: DestinationFormProps) {
  const text = useText();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall();
  const form = useForm<Fields>({ defaultValues: empty, shouldUnregister: true });
  const { errors, isSubmitting } = form.formState;
  const kind = form.watch('kind');
  const message = (name: keyof Fields) => errors[name]?.message;
  const submit = form.handleSubmit(async ({ vpa, account, ifsc, name }) => {
    const body = kind === 'upi' ? { kind, vpa } : { kind, account, ifsc, name };
    try {
      const { data } = await confirmed('set_destination', body, (options) =>
        call(setDestination, { body }, options),
      );
      keepDestination(queries, userId, data);
      notify('success', text('payout.saved'));
      onSaved();
    } catch (error) {
      showFailure(error, names, form.setError, text('payout.failed'));
    }
  });
  const required = text('payout.required');
  const sameAs = (other: 'vpa' | 'account') => (value: string) =>
    isSameNumber(value, form.getValues(other)) || text('payout.differs');
  return (
    <>
      <form onSubmit={submit} noValidate method="post" autoComplete="off" className="grid max-w-md gap-4">
        <FormError message={errors.root?.message} />
        <fieldset>
          <legend className="mb-1.5 font-semibold">{text('payout.kind')}</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-1">
            {kinds.map((one) => (
              <label key={one} className="flex min-h-11 items-center gap-2.5">
                <input type="radio" value={one} className="size-5 accent-accent" {...form.register('kind')} />
                {text(`payout.${one}`)}
              </label>
            ))}
          </div>
        </fieldset>
        {kind === 'upi' ? (
          <>
            <TextField
              key="vpa"
              label={text('payout.vpa')}
              hint={text('payout.vpaHint')}
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              error={message('vpa')}
              {...form.register('vpa', { required })}
            />
            <TextField
              key="vpaAgain"
              label={text('payout.vpaAgain')}
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              error={message('vpaAgain')}
              {...form.register('vpaAgain', { validate: sameAs('vpa') })}
            />
          </>
        ) : (
          <>
            <TextField
              key="account"
              label={text('payout.account')}
              inputMode="numeric"
              error={message('account')}
              {...form.register('account', { required })}
            />
            <TextField
              key="accountAgain"
              label={text('payout.accountAgain')}
              inputMode="numeric"
              error={message('accountAgain')}
              {...form.register('accountAgain', { validate: sameAs('account') })}
            />
            <TextField
              key="ifsc"
              label={text('payout.ifsc')}
              hint={text('payout.ifscHint')}
              autoCapitalize="characters"
              spellCheck={false}
              error={message('ifsc')}
              {...form.register('ifsc', { required })}
            />
            <IfscHelp ifsc={form.watch('ifsc') ?? ''} onUse={(ifsc) => form.setValue('ifsc', ifsc)} />
            <TextField
              key="name"
              label={text('payout.payee')}
              hint={text('payout.payeeHint')}
              error={message('name')}
              {...form.register('name', { required })}
            />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" busy={isSubmitting}>
            {text('payout.save')}
          </Button>
          {onCancel && <Button onClick={onCancel}>{text('payout.cancel')}</Button>}
        </div>
      </form>
      {dialog}
    </>
  );
}

/** Offers the IFSC with its zero instead of the letter O, and warns of one that ended with a merger. */
function IfscHelp({ ifsc, onUse }: { ifsc: string; onUse: (ifsc: string) => void }) {
  const text = useText();
  const meant = ifscWithZero(ifsc);
  const merger = mergerOf(ifsc);
  return (
    <div role="status" className="grid justify-items-start gap-2 empty:hidden">
      {meant && <Button onClick={() => onUse(meant)}>{text('payout.ifscUse', { ifsc: meant })}</Button>}
      {merger && <p className="font-medium text-pretty">{text('payout.ifscMerged', { ...merger })}</p>}
    </div>
  );
}
