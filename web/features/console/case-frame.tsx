import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { LoggedAct } from '#contract/operators.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Button, type ButtonKind } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { ActDialog, type ActForm } from './act-dialog.tsx';
import { KeyName } from './key-name.tsx';
import { useLetterKeys, useLettersOn } from './letter-keys.ts';
import { ActName, ByRule } from './logged-act.tsx';

/** What an operator can do with a case: at once, or by a dialog. */
export interface CaseAct {
  id: string;
  label: MessageId;
  /** A letter that does it. */
  key: string;
  kind?: ButtonKind;
  form?: ActForm;
  /** Without a dialog; or before the dialog opens. */
  run?: () => Promise<unknown>;
  /** Undoes `run` if the dialog is closed without the act. */
  undo?: () => Promise<unknown>;
  /** It decides the case. */
  decides?: boolean;
}

interface CaseFrameProps {
  title: string;
  /** Beside the title: clock, claim. */
  aside: ReactNode;
  acts: readonly CaseAct[];
  /** Called after an act; `true` if it has decided the case. */
  onActed: (decided: boolean) => void;
  /** Absent where operators do nothing with it. */
  history?: readonly LoggedAct[];
  children: ReactNode;
}

/** A case of any part: what it is, what can be done, what operators did. */
export function CaseFrame({ title, aside, acts, onActed, history, children }: CaseFrameProps) {
  const text = useText();
  const [asked, setAsked] = useState<CaseAct>();
  const [busy, setBusy] = useState<string>();
  const acted = ({ label, decides = false }: CaseAct, answer: unknown) => {
    const said = { act: text(label), about: title };
    notify('success', text(isProposal(answer) ? 'console.proposed' : 'console.acted', said));
    onActed(decides);
  };
  const begin = async (act: CaseAct) => {
    setBusy(act.id);
    try {
      const answer = await act.run?.();
      if (act.form) setAsked(act);
      else acted(act, answer);
    } catch (error) {
      notify('error', failureText(error, text));
      onActed(false);
    } finally {
      setBusy(undefined);
    }
  };
  const cancel = async ({ undo }: CaseAct) => {
    setAsked(undefined);
    try {
      await undo?.();
    } catch (error) {
      notify('error', failureText(error, text));
    }
    onActed(false);
  };
  const lettersOn = useLettersOn();
  useLetterKeys(
    asked === undefined && busy === undefined,
    Object.fromEntries(acts.map((act) => [act.key, () => void begin(act)])),
  );
  return (
    <article className="grid gap-5 rounded-panel border border-line bg-surface p-5 sm:p-6">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 className="text-2xl">{title}</h2>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.9375rem]">{aside}</div>
      </header>
      <div className="flex flex-wrap gap-2 empty:hidden sm:gap-3">
        {acts.map((act) => (
          <Button
            key={act.id}
            kind={act.kind ?? 'secondary'}
            // On a phone the acts leave room for what they are about.
            className="max-sm:px-3.5"
            aria-keyshortcuts={lettersOn ? act.key : undefined}
            busy={busy === act.id}
            disabled={busy !== undefined}
            onClick={() => void begin(act)}
          >
            {text(act.label)}
            <KeyName name={act.key} />
          </Button>
        ))}
      </div>
      {children}
      {history && <History acts={history} />}
      {asked?.form && (
        <ActDialog
          act={asked.form}
          about={title}
          onClose={() => void cancel(asked)}
          onDone={(answer) => {
            setAsked(undefined);
            acted(asked, answer);
          }}
        />
      )}
    </article>
  );
}

/** Whether an act only proposed what a second operator has to approve. */
const isProposal = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'proposal' in answer && answer.proposal !== null;

/** What operators did and noted, the newest first. */
function History({ acts }: { acts: readonly LoggedAct[] }) {
  const text = useText();
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{text('console.history')}</h3>
      {acts.length === 0 && <p className="text-soft">{text('console.historyNone')}</p>}
      <ol className="grid gap-3">
        {acts.map(({ _id, act, operator, details, createdAt }) => (
          <li key={_id} className="border-l-2 border-line pl-3">
            <p className="text-[0.9375rem] text-soft">
              <span className="font-semibold text-text">{text('console.actor', { operator })}</span>{' '}
              <ActName act={act} /> · <TimeAgo at={createdAt} />
              {typeof details.proposal === 'string' && act.startsWith('proposal.') && (
                <>
                  {' · '}
                  <Link to={`?part=proposals&case=${details.proposal}`} className="text-link">
                    {text('console.proposal.open')}
                  </Link>
                </>
              )}
            </p>
            <ByRule details={details} />
            {[details.text, details.reason].map(
              (words) =>
                typeof words === 'string' && (
                  <p key={words} dir="auto" className="whitespace-pre-wrap">
                    {words}
                  </p>
                ),
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
