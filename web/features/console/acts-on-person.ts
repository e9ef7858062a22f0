import {
  muteDays,
  muteReports,
  reasonAtMost,
  restorePerson,
  suspendPerson,
  unmuteReports,
} from '#contract/operators.ts';
import { makeResetLink, type PersonCase } from '#contract/person-case.ts';
import { call } from '#web/api.ts';
import type { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import type { CaseAct } from './case-frame.tsx';
import type { useMayCall } from './role.ts';
import { suspension } from './suspension.ts';

interface Around {
  confirmed: ReturnType<typeof useConfirmedCall>['confirmed'];
  /** Called with the path of the link for a new password. */
  onLink: (path: string) => void;
  mayCall: ReturnType<typeof useMayCall>;
}

/** What can be done with an account as it is. Nothing can be done with that of an operator. */
export function actsOnPerson(
  { _id: id, role, suspendedAt, reportsMutedUntil }: PersonCase,
  { confirmed, onLink, mayCall }: Around,
): CaseAct[] {
  const params = { id };
  if (role !== 'person') return [];
  const restore: CaseAct = {
    id: 'restore',
    label: 'console.act.restore',
    key: 'z',
    form: {
      title: 'console.act.restore',
      says: 'console.act.restorePerson.says',
      run: () => call(restorePerson, { params }),
    },
  };
  const link: CaseAct = {
    id: 'reset-link',
    label: 'console.act.resetLink',
    key: 'l',
    form: {
      title: 'console.act.resetLink',
      says: 'console.act.resetLink.says',
      run: async () => {
        const made = await confirmed('make_reset_link', params, (options) =>
          call(makeResetLink, { params }, options),
        );
        onLink(made.link);
      },
    },
  };
  const suspend: CaseAct = {
    id: 'suspend',
    label: 'console.act.suspend',
    key: 's',
    kind: 'danger',
    form: suspension(id, ''),
  };
  const isMuted = reportsMutedUntil !== null && new Date(reportsMutedUntil) > new Date();
  const mute: CaseAct = {
    id: 'mute',
    label: 'console.act.mute',
    key: 'm',
    form: {
      title: 'console.act.mute',
      says: 'console.act.mute.says',
      reason: { label: 'console.reasonForLog', most: reasonAtMost },
      choices: {
        label: 'console.term',
        options: muteDays.map((days) => ({ value: `${days}`, label: `console.term.${days}` as const })),
      },
      run: ({ reason, choice }) => call(muteReports, { params, body: { days: Number(choice), reason } }),
    },
  };
  const unmute: CaseAct = {
    id: 'unmute',
    label: 'console.act.unmute',
    key: 'm',
    form: {
      title: 'console.act.unmute',
      says: 'console.act.unmute.says',
      run: () => call(unmuteReports, { params }),
    },
  };
  const acts = suspendedAt
    ? [{ act: restore, by: restorePerson }]
    : [
        { act: link, by: makeResetLink },
        { act: suspend, by: suspendPerson },
      ];
  const muting = isMuted ? { act: unmute, by: unmuteReports } : { act: mute, by: muteReports };
  return [...acts, muting].flatMap(({ act, by }) => (mayCall(by) ? [act] : []));
}
