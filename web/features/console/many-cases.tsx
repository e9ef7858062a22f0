import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DecidedOne, decideCases, type ListedCase, mergeCases } from '#contract/cases.ts';
import { reasonAtMost } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { reasonHere } from '#web/messages/reasons.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { ActDialog, type ActForm } from './act-dialog.tsx';
import type { ManyProps } from './list-part.tsx';
import { nameOfCase } from './name-of-case.ts';

/** What is decided about many cases: the body of the call without the cases. */
interface Said {
  act: 'close' | 'take-down';
  what?: 'copy' | 'content';
  rule?: NonNullable<Parameters<typeof call<typeof decideCases>>[1]>['body']['rule'];
  reason: string;
}

/** Acts on the chosen cases: what is entered is shown case by case before it is done, and can be changed after that. */
export function ManyCases({ items, onClear }: ManyProps<ListedCase>) {
  const text = useText();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<ActForm>();
  const [said, setSaid] = useState<{ said: Said; preview: DecidedOne[] }>();
  const ids = items.map(({ _id }) => _id);
  const show = async (next: Said) => {
    const body = { ...next, ids, preview: true };
    setSaid({ said: next, preview: (await call(decideCases, { body })).data });
  };
  const close: ActForm = {
    title: 'console.act.close',
    submit: 'console.many.preview',
    says: 'console.many.close.says',
    reason: { label: 'console.reasonForLog', most: reasonAtMost },
    run: ({ reason }) => show({ act: 'close', reason }),
  };
  const takeDown: ActForm = {
    title: 'console.act.takeDown',
    submit: 'console.many.preview',
    says: 'console.many.takeDown.says',
    rule: '',
    reason: { label: 'console.reasonForOwner', most: reasonAtMost },
    choices: {
      label: 'console.what',
      options: [
        { value: 'content', label: 'console.what.content', consequence: 'content' },
        { value: 'copy', label: 'console.what.copy', consequence: 'copy' },
      ],
    },
    run: ({ rule, reason, choice }) =>
      show({ act: 'take-down', what: choice === 'copy' ? 'copy' : 'content', rule, reason }),
  };
  const merge: ActForm = {
    title: 'console.act.merge',
    says: 'console.act.merge.says',
    reason: { label: 'console.reasonForLog', most: reasonAtMost },
    choices: {
      label: 'console.many.stays',
      options: items.map((item) => ({
        value: item._id,
        label: 'console.many.case' as const,
        values: nameOfCase(item, text),
      })),
    },
    run: async ({ reason, choice }) => {
      const others = ids.filter((id) => id !== choice);
      await call(mergeCases, { params: { id: choice }, body: { ids: others, reason } });
      onClear();
      void queries.invalidateQueries({ queryKey: ['console'] });
    },
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setAsked(close)}>{text('console.act.close')}</Button>
      <Button kind="danger" onClick={() => setAsked(takeDown)}>
        {text('console.act.takeDown')}
      </Button>
      {items.length > 1 && <Button onClick={() => setAsked(merge)}>{text('console.act.merge')}</Button>}
      {asked && (
        <ActDialog
          act={asked}
          onClose={() => setAsked(undefined)}
          // The others stay open under the preview.
          onDone={() => asked.submit === undefined && setAsked(undefined)}
        />
      )}
      {said && (
        <Decide
          items={items}
          {...said}
          onClose={(isDone) => {
            setSaid(undefined);
            if (!isDone) return;
            setAsked(undefined);
            onClear();
            void queries.invalidateQueries({ queryKey: ['console'] });
          }}
        />
      )}
    </div>
  );
}

interface DecideProps {
  items: readonly ListedCase[];
  said: Said;
  preview: readonly DecidedOne[];
  onClose: (isDone: boolean) => void;
}

/** What would happen, case by case, above the form, to which one can go back; then does it, and shows what has happened. */
function Decide({ items, said, preview, onClose }: DecideProps) {
  const text = useText();
  // What was chosen stays shown while the list changes behind it.
  const [chosen] = useState(items);
  const [done, setDone] = useState<DecidedOne[]>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const possible = preview.filter(({ decided }) => decided).map(({ _id }) => _id);
  const act: MessageId = said.act === 'close' ? 'console.act.close' : 'console.act.takeDown';
  const doing: MessageId = said.act === 'close' ? 'console.many.closeNow' : 'console.many.takeDownNow';
  const decide = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      setDone((await call(decideCases, { body: { ...said, ids: possible, preview: false } })).data);
    } catch (error) {
      setFailure(failureText(error, text));
    } finally {
      setBusy(false);
    }
  };
  const shown = done ?? preview;
  const of = new Map(chosen.map((item) => [item._id, item]));
  const count = shown.filter(({ decided }) => decided).length;
  return (
    <Dialog
      open
      onClose={() => onClose(done !== undefined)}
      title={text(done ? act : 'console.many.before')}
      closeLabel={text('dialog.close')}
    >
      <div className="grid gap-4">
        <p role="status" className="font-semibold">
          {text(done ? 'console.many.done' : 'console.many.possible', { count, all: shown.length })}
        </p>
        <FormError message={failure} />
        <ul className="grid max-h-[50dvh] gap-3 overflow-y-auto">
          {shown.map(({ _id, decided, refusal }) => {
            const item = of.get(_id);
            return (
              <li key={_id} className="border-l-2 border-line pl-3">
                <p dir="auto" className="truncate">
                  {item && text('console.many.case', nameOfCase(item, text))}
                </p>
                <p className={decided ? 'text-[0.9375rem] text-soft' : 'text-[0.9375rem] text-alert'}>
                  {refusal
                    ? reasonHere(refusal)
                    : text(
                        decided
                          ? done
                            ? 'console.many.isDecided'
                            : 'console.many.canBe'
                          : 'console.many.unchanged',
                      )}
                </p>
              </li>
            );
          })}
        </ul>
        {done ? (
          <Button kind="primary" onClick={() => onClose(true)}>
            {text('dialog.close')}
          </Button>
        ) : (
          <div className="flex flex-wrap-reverse justify-end gap-3">
            <Button onClick={() => onClose(false)}>{text('console.many.back')}</Button>
            <Button
              kind={said.act === 'close' ? 'primary' : 'danger'}
              busy={busy}
              disabled={possible.length === 0}
              onClick={() => void decide()}
            >
              {text(doing, { count: possible.length })}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
