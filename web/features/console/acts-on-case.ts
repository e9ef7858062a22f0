import {
  closeCase,
  noteAtMost,
  noteOnCase,
  releaseCase,
  type ShownCase,
  takeUpCase,
} from '#contract/cases.ts';
import {
  reasonAtMost,
  restoreContent,
  restorePerson,
  suspendPerson,
  takeDown as takeDownCall,
} from '#contract/operators.ts';
import { reportReasons } from '#contract/reports.ts';
import { call } from '#web/api.ts';
import type { CaseAct } from './case-frame.tsx';

const rules = reportReasons.map((reason) => `console.because.${reason}` as const);

/** What can be done with a case as it is. What decides it claims it first, so that nobody else types at the same time. */
export function actsOn(data: ShownCase): CaseAct[] {
  const { _id: id, kind, targetId, state, claim, closedAt, reasons } = data;
  const params = { id };
  const take = () => call(takeUpCase, { params });
  const isOthers = claim !== null && !claim.mine;
  const note: CaseAct = {
    id: 'note',
    label: 'console.act.note',
    key: 'n',
    form: {
      title: 'console.act.note',
      says: 'console.act.note.says',
      reason: { label: 'console.note', most: noteAtMost },
      run: ({ reason }) => call(noteOnCase, { params, body: { text: reason } }),
    },
  };
  const restore = restoreOf(data);
  if (closedAt || isOthers) return [note, ...(closedAt ? restore : [])];
  const claimed: CaseAct[] = claim?.mine
    ? [{ id: 'release', label: 'console.act.release', key: 'r', run: () => call(releaseCase, { params }) }]
    : [{ id: 'claim', label: 'console.act.claim', key: 'c', kind: 'primary', run: take }];
  const close: CaseAct = {
    id: 'close',
    label: 'console.act.close',
    key: 'x',
    decides: true,
    run: take,
    form: {
      title: 'console.act.close',
      says: 'console.act.close.says',
      reason: { label: 'console.reasonForLog', most: reasonAtMost },
      run: ({ reason }) => call(closeCase, { params, body: { reason } }),
    },
  };
  const reason = { label: 'console.reasonForOwner', most: reasonAtMost, suggestions: rules } as const;
  const content = { value: 'content', label: 'console.what.content' } as const;
  // Somebody else's work must not be hidden where its author has published it.
  const copy = { value: 'copy', label: 'console.what.copy' } as const;
  const takeDown: CaseAct = {
    id: 'take-down',
    label: 'console.act.takeDown',
    key: 't',
    kind: 'danger',
    decides: true,
    run: take,
    form: {
      title: 'console.act.takeDown',
      says: kind === 'comment' ? 'console.act.deleteComment.says' : 'console.act.takeDown.says',
      reason,
      isDangerous: true,
      ...(kind === 'comment'
        ? {}
        : {
            choices: {
              label: 'console.what',
              options: reasons.includes('copied') ? [copy, content] : [content, copy],
            },
          }),
      run: ({ reason, choice }) =>
        call(takeDownCall, { body: { target: id, what: choice === 'copy' ? 'copy' : 'content', reason } }),
    },
  };
  const suspend: CaseAct = {
    id: 'suspend',
    label: 'console.act.suspend',
    key: 's',
    kind: 'danger',
    decides: true,
    run: take,
    form: {
      title: 'console.act.suspend',
      says: 'console.act.suspend.says',
      reason: { label: 'console.reasonForLog', most: reasonAtMost, suggestions: rules },
      isDangerous: true,
      run: ({ reason }) => call(suspendPerson, { params: { id: targetId }, body: { reason } }),
    },
  };
  const decide = state === 'public' ? [kind === 'person' ? suspend : takeDown] : [];
  return [...claimed, ...decide, close, note, ...restore];
}

/** Undoes a take-down or a suspension, also after the case was decided. */
function restoreOf({ kind, targetId, state }: ShownCase): CaseAct[] {
  const isPerson = kind === 'person' && state === 'hidden';
  if (!isPerson && state !== 'taken_down') return [];
  return [
    {
      id: 'restore',
      label: 'console.act.restore',
      key: 'u',
      form: {
        title: 'console.act.restore',
        says: 'console.act.restore.says',
        run: () =>
          isPerson
            ? call(restorePerson, { params: { id: targetId } })
            : call(restoreContent, { body: { target: `${kind}:${targetId}` } }),
      },
    },
  ];
}
