import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { appeal, type Decision } from '#contract/decisions.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api.ts';
import { failureText, T, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { languageOf } from '../words/language-of.ts';

/** The one appeal of the person concerned: its form, that it was sent, or the answer. */
export function Appeal({ decision }: { decision: Decision }) {
  const text = useText();
  const { endedAt, answer, answerReason, grievanceEmail } = decision;
  const [appealedAt, setAppealedAt] = useState(decision.appealedAt);
  if (endedAt && !appealedAt) return null;
  return (
    <section className="grid gap-3">
      <h2 className="text-xl">{text('decisionPage.appeal')}</h2>
      {answer ? (
        <>
          <p className="font-semibold">{text(`decisionPage.${answer}`)}</p>
          <p dir="auto" lang={languageOf(answerReason ?? '')} className="whitespace-pre-wrap">
            {answerReason}
          </p>
        </>
      ) : appealedAt ? (
        <p role="status">{text('decisionPage.appeal.sent')}</p>
      ) : (
        <AppealForm decision={decision} onSent={setAppealedAt} />
      )}
      {grievanceEmail && (
        <p className="text-[0.9375rem] text-soft">
          <T
            id="decisionPage.grievance"
            values={{ address: grievanceEmail }}
            parts={{
              // biome-ignore lint/a11y/useAnchorContent: the message has its content.
              a: <a href={`mailto:${grievanceEmail}`} className="text-link" />,
            }}
          />
        </p>
      )}
    </section>
  );
}

interface AppealFormProps {
  decision: Decision;
  onSent: (at: string) => void;
}

function AppealForm({ decision: { _id: id, isAlone }, onSent }: AppealFormProps) {
  const text = useText();
  const form = useForm({ defaultValues: { text: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body) => {
    try {
      const { data } = await call(appeal, { params: { id }, body });
      onSent(data.appealedAt);
    } catch (error) {
      form.setError('root', { message: failureText(error, text) });
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <p>{text(isAlone ? 'decisionPage.appeal.leadAlone' : 'decisionPage.appeal.lead')}</p>
      <FormError message={errors.root?.message} />
      <TextArea
        label={text('decisionPage.appeal.text')}
        rows={5}
        maxLength={limits.message}
        error={errors.text?.message}
        {...form.register('text', {
          validate: (words) => words.trim() !== '' || text('decisionPage.appeal.missing'),
        })}
      />
      <Button type="submit" kind="primary" busy={isSubmitting} className="justify-self-start">
        {text('decisionPage.appeal.send')}
      </Button>
    </form>
  );
}
