import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { QRCode } from 'react-qr-code';
import {
  beginSecondFactor,
  finishSecondFactor,
  giveSecondFactor,
  newRecoveryCodes,
  type SecondFactor as State,
} from '#contract/second-factor.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { notify } from '#web/ui/notices.ts';
import { Part } from './part.tsx';

await loadPart('factor');

interface SecondFactorProps {
  state: State;
  queryKey: readonly unknown[];
  /** Called when recovery codes are shown, which are seen only then, and when they were stored. */
  onCodes?: (areShown: boolean) => void;
}

/** The second factor of an operator: enrolling, use in this session, replacement. */
export default function SecondFactor({ state, queryKey, onCodes }: SecondFactorProps) {
  const text = useText();
  const queries = useQueryClient();
  const [app, setApp] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const show = (made: readonly string[] | undefined) => {
    setCodes(made);
    onCodes?.(made !== undefined);
  };
  const refresh = () => queries.invalidateQueries({ queryKey });

  if (codes)
    return (
      <Part title={text('factor.codes')}>
        <p className="text-soft">{text('factor.codesText')}</p>
        <ul className="grid gap-x-6 gap-y-1 font-mono sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Button kind="primary" className="justify-self-start" onClick={() => show(undefined)}>
          {text('factor.codesStored')}
        </Button>
      </Part>
    );
  if (app)
    return (
      <Part title={text('factor.title')}>
        <p className="text-soft">{text('factor.scan')}</p>
        <div role="img" aria-label={text('factor.qr')} className="size-44 rounded-lg bg-white p-2">
          <QRCode value={app.uri} size={160} bgColor="#ffffff" fgColor="#0b0920" />
        </div>
        <p>
          {text('factor.key')}: <span className="font-mono select-all">{app.secret}</span>
        </p>
        <CodeForm
          label={text('factor.digits')}
          numeric
          uses={[
            {
              words: text('factor.finish'),
              async run(totp) {
                const { recoveryCodes } = await call(finishSecondFactor, { body: { totp } });
                setApp(undefined);
                show(recoveryCodes);
                notify('success', text('factor.done'));
                await refresh();
              },
            },
          ]}
        />
      </Part>
    );
  const begin = async (code: string) => setApp(await call(beginSecondFactor, { body: { code } }));
  const { enrolledAt, given, recoveryCodes: count } = state;
  if (!enrolledAt)
    return (
      <Part title={text('factor.title')}>
        <p className="text-soft">{text('factor.why')}</p>
        <CodeForm label={text('factor.invitation')} uses={[{ words: text('factor.begin'), run: begin }]} />
      </Part>
    );
  const give = {
    words: text('factor.give'),
    async run(totp: string) {
      await call(giveSecondFactor, { body: { totp } });
      notify('success', text('factor.gave'));
      await refresh();
    },
  };
  const renew = {
    words: text('factor.renew'),
    async run(totp: string) {
      show((await call(newRecoveryCodes, { body: { totp } })).recoveryCodes);
      await refresh();
    },
  };
  return (
    <Part title={text('factor.title')}>
      <p className="text-soft">{text('factor.since', { date: new Date(enrolledAt), count })}</p>
      <p className="text-soft">{text(given ? 'factor.given' : 'factor.notGiven')}</p>
      <CodeForm
        label={text('factor.code')}
        uses={[...(given ? [] : [give]), renew, { words: text('factor.replace'), run: begin }]}
      />
    </Part>
  );
}

interface CodeFormProps {
  label: string;
  numeric?: boolean;
  /** The uses of the code; Enter selects the first. */
  uses: readonly { words: string; run: (code: string) => Promise<void> }[];
}

function CodeForm({ label, numeric, uses }: CodeFormProps) {
  const text = useText();
  const form = useForm({ defaultValues: { code: '' } });
  const { errors, isSubmitting } = form.formState;
  const [chosen, setChosen] = useState(0);
  const submit = (place: number) =>
    form.handleSubmit(async ({ code }) => {
      setChosen(place);
      try {
        await uses[place]?.run(code);
        form.reset();
      } catch (error) {
        form.setError('code', { message: failureText(error, text) });
      }
    });
  return (
    <form onSubmit={submit(0)} noValidate method="post" className="grid gap-4 sm:max-w-md">
      <TextField
        label={label}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.code?.message}
        {...(numeric ? { inputMode: 'numeric' as const } : {})}
        {...form.register('code', { required: text('account.allRequired') })}
      />
      <div className="flex flex-wrap gap-3">
        {uses.map(({ words }, place) => (
          <Button
            key={words}
            kind={place === 0 ? 'primary' : 'secondary'}
            busy={isSubmitting && chosen === place}
            disabled={isSubmitting}
            {...(place === 0 ? { type: 'submit' as const } : { onClick: submit(place) })}
          >
            {words}
          </Button>
        ))}
      </div>
    </form>
  );
}
