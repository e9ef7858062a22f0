import {
  answerAppeal,
  closeCase,
  type ListedCase,
  noteAtMost,
  noteOnCase,
  releaseCase,
  type ShownCase,
  takeUpCase,
  unmergeCase,
} from '#contract/cases.ts';
import {
  labelContent,
  reasonAtMost,
  restoreContent,
  restorePerson,
  takeDown as takeDownCall,
  unlabelContent,
} from '#contract/operators.ts';
import { canFollow, type SiteRule, siteRuleNames } from '#contract/site-rules.ts';
import { call } from '#web/api.ts';
import type { useText } from '#web/text.tsx';
import type { ActForm } from './act-dialog.tsx';
import type { CaseAct } from './case-frame.tsx';
import { nameOfCase } from './name-of-case.ts';
import { suspension } from './suspension.ts';

type Text = ReturnType<typeof useText>;

/**
 * What can be done with a case as it is, what decides it first. That claims it before, so that nobody else types at the same time; that claim ends if its
 * dialog is cancelled, and one that was there before stays.
 */
export function actsOn(data: ShownCase, text: Text): CaseAct[] {
  const { _id: id, kind, targetId, state, claim, closedAt, reasons, mergedInto } = data;
  const params = { id };
  const take = () => call(takeUpCase, { params });
  const release = () => call(releaseCase, { params });
  const typing = { decides: true, run: take, ...(claim?.mine ? {} : { undo: release }) };
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
    ? [{ id: 'release', label: 'console.act.release', key: 'r', run: release }]
    : [{ id: 'claim', label: 'console.act.claim', key: 'c', run: take }];
  const unmerge: CaseAct[] = mergedInto
    ? [
        {
          id: 'unmerge',
          label: 'console.act.unmerge',
          key: 'g',
          run: () => call(unmergeCase, { params }),
        },
      ]
    : [];
  if (kind === 'appeal') return [...answersTo(data, typing), ...claimed, note];
  const close: CaseAct = {
    id: 'close',
    label: 'console.act.close',
    key: 'd',
    ...typing,
    form: {
      title: 'console.act.close',
      says: 'console.act.close.says',
      reason: { label: 'console.reasonForLog', most: reasonAtMost },
      run: ({ reason }) => call(closeCase, { params, body: { reason } }),
    },
  };
  const reason = { label: 'console.reasonForOwner', most: reasonAtMost } as const;
  const rule: SiteRule | '' = siteRuleNames.find((one) => reasons.some((said) => said === one)) ?? '';
  const merged = mergedOf(data);
  const labelled = merged.filter(({ about }) => about === 'reel' || about === 'post');
  const takeDown: CaseAct = {
    id: 'take-down',
    label: 'console.act.takeDown',
    key: 't',
    kind: 'danger',
    ...typing,
    form: {
      title: 'console.act.takeDown',
      says: kind === 'comment' ? 'console.act.deleteComment.says' : 'console.act.takeDown.says',
      rule,
      reason,
      isDangerous: true,
      ...together('takeDown', text, [data, ...merged]),
      ...(kind === 'comment'
        ? {}
        : {
            choices: {
              label: 'console.what',
              options: [
                { value: 'content', label: 'console.what.content', consequence: 'content' },
                { value: 'copy', label: 'console.what.copy', consequence: 'copy' },
              ],
            },
          }),
      run: ({ rule, reason, choice }) => {
        // What is deleted has no copies; the call wants one that the rule allows.
        const chosen = kind === 'comment' && !canFollow(rule, 'content') ? 'copy' : choice;
        const what = chosen === 'copy' ? 'copy' : 'content';
        const body = { target: id, what, rule, reason, merged: idsOf(merged) } as const;
        return call(takeDownCall, { body });
      },
    },
  };
  const label: CaseAct = {
    id: 'label',
    label: 'console.act.label',
    key: 'l',
    ...typing,
    form: {
      title: 'console.act.label',
      says: 'console.act.label.says',
      rule: rule && canFollow(rule, 'label') ? rule : '',
      consequence: 'label',
      reason,
      ...together('label', text, [data, ...labelled]),
      run: ({ rule, reason }) =>
        call(labelContent, { body: { target: id, rule, reason, merged: idsOf(labelled) } }),
    },
  };
  const canLabel = kind === 'reel' || kind === 'post';
  const suspend: CaseAct = {
    id: 'suspend',
    label: 'console.act.suspend',
    key: 's',
    kind: 'danger',
    ...typing,
    form: suspension(targetId, rule),
  };
  const isThere = state === 'public';
  // A work is hidden also while its owner is suspended, and public again after that.
  const takes = kind === 'person' ? isThere && suspend : (isThere || state === 'hidden') && takeDown;
  const decide = [...(takes ? [takes] : []), ...(isThere && canLabel ? [label] : [])];
  return [...decide, close, ...claimed, ...unmerge, note, ...restore];
}

const idsOf = (cases: readonly ListedCase[]) => cases.map(({ _id: id }) => id);

/** The works and comments of merged cases that are not taken down, on which an act on this case is done too. */
const mergedOf = ({ merged }: ShownCase) =>
  merged.filter(
    ({ about, state, closedAt }) =>
      about !== 'person' && !closedAt && (state === 'public' || state === 'hidden'),
  );

/** What an act is done to, where that is more than one thing. */
const together = (
  act: 'takeDown' | 'label',
  text: Text,
  cases: readonly ListedCase[],
): Pick<ActForm, 'things'> =>
  cases.length < 2
    ? {}
    : {
        things: {
          says: `console.act.${act}.together`,
          all: cases.map((one) => ({ id: one._id, name: text('console.many.case', nameOfCase(one, text)) })),
        },
      };

/** The two answers to an appeal; the server refuses the operator who decided first, if there is another one. */
function answersTo({ _id: id, about }: ShownCase, typing: Partial<CaseAct>): CaseAct[] {
  const says = about === 'comment' ? 'console.act.reverseComment.says' : 'console.act.reverse.says';
  const answers = [
    {
      id: 'uphold',
      answer: 'upheld',
      label: 'console.act.uphold',
      key: 'h',
      says: 'console.act.uphold.says',
    },
    { id: 'reverse', answer: 'reversed', label: 'console.act.reverse', key: 'v', says },
  ] as const;
  return answers.map(({ answer, says, ...act }) => ({
    ...act,
    ...typing,
    form: {
      title: act.label,
      says,
      reason: { label: 'console.reasonForPerson', most: reasonAtMost },
      run: ({ reason }) => call(answerAppeal, { params: { id }, body: { answer, reason } }),
    },
  }));
}

/** Undoes a take-down, a label or a suspension, also after the case was decided. */
function restoreOf({ kind, targetId, state, label }: ShownCase): CaseAct[] {
  const body = { target: `${kind}:${targetId}` };
  const unlabel: CaseAct = {
    id: 'unlabel',
    label: 'console.act.unlabel',
    key: 'e',
    form: {
      title: 'console.act.unlabel',
      says: 'console.act.unlabel.says',
      run: () => call(unlabelContent, { body }),
    },
  };
  const labelled = label && kind !== 'appeal' ? [unlabel] : [];
  const isPerson = kind === 'person' && state === 'hidden';
  if (!isPerson && state !== 'taken_down') return labelled;
  return [
    ...labelled,
    {
      id: 'restore',
      label: 'console.act.restore',
      key: 'z',
      form: {
        title: 'console.act.restore',
        says: 'console.act.restore.says',
        run: () =>
          isPerson ? call(restorePerson, { params: { id: targetId } }) : call(restoreContent, { body }),
      },
    },
  ];
}
