import { type ReactNode, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { limits } from '#contract/limits.ts';
import { type ReportKind, report, reportReasons } from '#contract/reports.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { randomKey } from '#web/random-key.ts';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useDraft } from '../drafts/use-draft.ts';
import { useSession } from '../session/use-session.ts';

await loadPart('reports');

/** What is reported. */
export interface Reported {
  kind: ReportKind;
  id: string;
}

interface ReportDialogProps extends Reported {
  onClose: () => void;
}

/** Reports something to the operators (decisions §3), and then shows the number of the report. */
export default function ReportDialog({ kind, id, onClose }: ReportDialogProps) {
  const text = useText();
  const [number, setNumber] = useState<string>();
  return (
    <Dialog open onClose={onClose} title={text('report.title')} closeLabel={text('dialog.close')}>
      {number ? <Sent number={number} /> : <ReportForm kind={kind} id={id} onSent={setNumber} />}
    </Dialog>
  );
}

interface Fields {
  reason: string;
  text: string;
  contact: string;
}
const empty: Fields = { reason: '', text: '', contact: '' };

function ReportForm({ kind, id, onSent }: Reported & { onSent: (number: string) => void }) {
  const text = useText();
  const { user } = useSession();
  const form = useForm<Fields>({ defaultValues: empty });
  const { errors, isSubmitting } = form.formState;
  const draft = useDraft(`report.${id}`, form);
  // The same whenever it is sent again: an answer may be lost.
  const [ownNumber] = useState(randomKey);

  const submit = form.handleSubmit(async ({ reason, text: words, contact }) => {
    try {
      const chosen = reportReasons.find((one) => one === reason) ?? 'other';
      const body = { kind, id, reason: chosen, text: words, number: ownNumber, ...(user ? {} : { contact }) };
      const { number } = await call(report, { body });
      draft.forget();
      onSent(number);
    } catch (error) {
      const isAnswered = isApiError(error) && error.status > 0 && error.code !== 'unavailable';
      const message = isAnswered
        ? text('report.failed', { reason: error.sentence })
        : text('report.unreached');
      form.setError('root', { message });
    }
  });

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <p className="text-soft">{text(`report.lead.${kind}`)}</p>
      <FormError message={errors.root?.message} />
      <Choice label={text('report.reason')} error={errors.reason?.message}>
        {reportReasons.map((reason) => (
          <label key={reason} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              value={reason}
              className="size-5 shrink-0 cursor-pointer accent-accent"
              {...form.register('reason', { required: text('report.reasonMissing') })}
            />
            <span className="pt-0.5">{text(`report.reason.${reason}`)}</span>
          </label>
        ))}
      </Choice>
      <TextArea
        label={text('report.text')}
        optional={text('upload.optional')}
        rows={3}
        maxLength={limits.message}
        {...form.register('text')}
      />
      {!user && (
        <TextField
          label={text('report.contact')}
          optional={text('upload.optional')}
          hint={text('report.contactHint')}
          maxLength={limits.reportContact}
          {...form.register('contact')}
        />
      )}
      {/* In view beside the reasons, which are longer than a phone. */}
      <div className="sticky bottom-0 -mx-6 -mb-6 grid border-t border-line bg-surface px-6 py-4 short:-mx-4 short:-mb-4 short:px-4 short:py-2">
        <Button type="submit" kind="primary" busy={isSubmitting}>
          {text(isSubmitting ? 'report.sending' : 'report.send')}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  error: string | undefined;
  children: ReactNode;
}

function Choice({ label, error, children }: ChoiceProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined} className="grid gap-x-4 short:grid-cols-2">
      <legend className="mb-1 font-semibold">{label}</legend>
      {children}
      <p
        id={id}
        aria-live="polite"
        className={error ? 'col-span-full text-[0.9375rem] font-medium leading-snug text-alert' : 'sr-only'}
      >
        {error}
      </p>
    </fieldset>
  );
}

/** The number takes the focus, since the button that was pressed is gone. */
function Sent({ number }: { number: string }) {
  const text = useText();
  return (
    <div ref={focused} tabIndex={-1} className="grid gap-4 outline-none">
      <p className="font-semibold text-good">{text('report.sent')}</p>
      <div>
        <p className="text-[0.9375rem] text-soft">{text('report.number')}</p>
        <p className="figures select-all text-lg font-semibold">{number}</p>
      </div>
      <p className="text-soft">{text('report.keep')}</p>
      <Link to={`/report/${number}`} className={buttonLook('primary')}>
        {text('report.follow')}
      </Link>
    </div>
  );
}

const focused = (element: HTMLElement | null) => element?.focus();
