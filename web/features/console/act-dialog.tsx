import { useEffect, useId } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { type Consequence, canFollow, type SiteRule, siteRuleNames } from '#contract/site-rules.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { describing, FieldFrame, TextArea } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { submitByKeys } from './submit-by-keys.ts';

/** What an operator enters in the dialog of an act. */
export interface ActInput {
  reason: string;
  /** One of the act's choices. */
  choice: string;
  /** Of an act that asks for one; empty until it is chosen. */
  rule: SiteRule | '';
}

/** The same for an act with a rule, once it is chosen. */
export type RuledInput = ActInput & { rule: SiteRule };

export interface ActForm {
  title: MessageId;
  /** The button that sends it, if that is not the title. */
  submit?: MessageId;
  /** What the act does, in one sentence. */
  says: MessageId;
  /** Who reads the reason; an act without it takes none. */
  reason?: { label: MessageId; most: number };
  /** It takes something from a person, by a rule of the site: this one is chosen at first. */
  rule?: SiteRule | '';
  /** Only rules with this consequence are offered; all if absent. */
  consequence?: Consequence;
  choices?: { label: MessageId; options: readonly Choice[] };
  /** What it is done to, where that is more than the case says. */
  things?: { says: MessageId; all: readonly { id: string; name: string }[] };
  isDangerous?: boolean;
  run: (input: RuledInput) => Promise<unknown>;
}

interface Choice {
  value: string;
  label: MessageId;
  values?: Record<string, string | number>;
  /** Only rules that have this consequence offer the choice; all rules if absent. */
  consequence?: Consequence;
}

/** Asks for what an act needs, and does it. It stays open, with all that was typed, if the act is refused. */
export function ActDialog({
  act,
  about,
  onDone,
  onClose,
}: {
  act: ActForm;
  /** What is acted on, where it is one thing. */
  about?: string;
  /** Called with what the act has returned. */
  onDone: (answer: unknown) => void;
  onClose: () => void;
}) {
  const text = useText();
  const { title, submit: button = title, says, reason, rule: first, consequence, choices } = act;
  const hasReason = reason !== undefined;
  const optionsBy = (rule: ActInput['rule']) =>
    choices?.options.filter(({ consequence }) => !rule || !consequence || canFollow(rule, consequence)) ?? [];
  const form = useForm<ActInput>({
    defaultValues: { reason: '', rule: first ?? '', choice: optionsBy(first ?? '')[0]?.value ?? '' },
  });
  const { errors, isSubmitting } = form.formState;
  const options = optionsBy(form.watch('rule'));
  // What is typed blindly lands in the field, and not on the keys of the page.
  const { setFocus } = form;
  const isRuleFirst = first === '';
  useEffect(() => {
    if (isRuleFirst) setFocus('rule');
    else if (hasReason) setFocus('reason');
  }, [setFocus, isRuleFirst, hasReason]);
  const submit = form.handleSubmit(async (input) => {
    try {
      onDone(await act.run(input as RuledInput));
    } catch (error) {
      form.setError('root', { message: failureText(error, text) });
    }
  });
  return (
    <Dialog open onClose={onClose} title={text(title)} closeLabel={text('dialog.close')}>
      <form
        onSubmit={submit}
        noValidate
        className="grid gap-4"
        onKeyDown={submitByKeys(submit, isSubmitting)}
      >
        {about && <p className="font-semibold wrap-break-word">{about}</p>}
        <p className="text-soft">{text(says)}</p>
        {act.things && (
          <div className="grid gap-1 rounded-control bg-sunken px-4 py-3">
            <p className="font-semibold">{text(act.things.says, { count: act.things.all.length })}</p>
            <ul className="max-h-40 list-disc overflow-y-auto pl-5">
              {act.things.all.map(({ id, name }) => (
                <li key={id} dir="auto" className="wrap-break-word">
                  {name}
                </li>
              ))}
            </ul>
          </div>
        )}
        <FormError message={errors.root?.message} />
        {first !== undefined && (
          <RuleField
            form={form}
            rules={siteRuleNames.filter((rule) => !consequence || canFollow(rule, consequence))}
            onChoose={(rule) => {
              const allowed = optionsBy(rule).map(({ value }) => value);
              if (!allowed.includes(form.getValues('choice'))) form.setValue('choice', allowed[0] ?? '');
            }}
          />
        )}
        {choices && (
          <fieldset className="grid">
            <legend className="mb-1 font-semibold">{text(choices.label)}</legend>
            {options.map(({ value, label, values }) => (
              <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="radio"
                  value={value}
                  className="size-5 shrink-0 cursor-pointer accent-accent"
                  {...form.register('choice')}
                />
                <span className="min-w-0 pt-0.5 wrap-break-word">{text(label, values)}</span>
              </label>
            ))}
          </fieldset>
        )}
        {reason && (
          <TextArea
            label={text(reason.label)}
            rows={3}
            maxLength={reason.most}
            error={errors.reason?.message}
            {...form.register('reason', {
              validate: (words) => words.trim() !== '' || text('console.reasonMissing'),
            })}
          />
        )}
        <Button type="submit" kind={act.isDangerous ? 'danger' : 'primary'} busy={isSubmitting}>
          {text(button)}
        </Button>
      </form>
    </Dialog>
  );
}

/** The broken rule, and its text as the person and the reporters read it. */
function RuleField({
  form,
  rules,
  onChoose,
}: {
  form: UseFormReturn<ActInput>;
  rules: readonly SiteRule[];
  onChoose: (rule: ActInput['rule']) => void;
}) {
  const text = useText();
  const id = useId();
  const rule = form.watch('rule');
  const hint = rule && text(`rule.${rule}.text`);
  const error = form.formState.errors.rule?.message;
  return (
    <FieldFrame id={id} label={text('console.rule')} hint={hint} error={error}>
      <select
        {...form.register('rule', {
          validate: (chosen) => chosen !== '' || text('console.ruleMissing'),
          onChange: () => onChoose(form.getValues('rule')),
        })}
        {...describing(id, { hint, error })}
        className="h-12 w-full rounded-control border border-line-strong bg-surface px-3 pt-0.5 aria-invalid:border-2 aria-invalid:border-alert"
      >
        <option value="">{text('console.ruleChoose')}</option>
        {rules.map((name) => (
          <option key={name} value={name}>
            {text(`rule.${name}`)}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
