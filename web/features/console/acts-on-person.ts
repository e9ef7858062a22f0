import {
  muteDays,
  muteReports,
  reasonAtMost,
  restorePerson,
  setRole,
  suspendPerson,
  unmuteReports,
} from '#contract/operators.ts';
import { makeResetLink, type PersonCase } from '#contract/person-case.ts';
import type { Role } from '#contract/roles.ts';
import { countedTo } from '#contract/today.ts';
import { call } from '#web/api.ts';
import type { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import type { CaseAct } from './case-frame.tsx';
import type { useMayCall } from './role.ts';
import { suspension } from './suspension.ts';

/** Roles with the right to see what shows a child, which only those have who decide cases. */
const rights = [
  { value: 'moderator', label: 'console.role.moderator' },
  { value: 'moderator child', label: 'console.role.moderator.child' },
  { value: 'payer', label: 'console.role.payer' },
  { value: 'administrator', label: 'console.role.administrator' },
  { value: 'administrator child', label: 'console.role.administrator.child' },
  { value: 'person', label: 'console.role.person' },
] as const;

interface Around {
  confirmed: ReturnType<typeof useConfirmedCall>['confirmed'];
  /** Called with what is shown only once: the path of the link for a new password, or the code by which an operator enrols. */
  onSecret: (secret: { kind: 'resetLink' | 'enrolment'; value: string }) => void;
  mayCall: ReturnType<typeof useMayCall>;
}

/** What can be done with an account as it is. That of an operator can only get another role. */
export function actsOnPerson(
  { _id: id, role, childSafety, suspendedAt, suspendedUntil, reportsMutedUntil, reported }: PersonCase,
  { confirmed, onSecret, mayCall }: Around,
): CaseAct[] {
  const params = { id };
  // Chosen at first.
  const present = childSafety ? `${role} child` : role;
  const isPresent = ({ value }: (typeof rights)[number]) => value === present;
  const ofRole: CaseAct = {
    id: 'role',
    label: 'console.act.role',
    key: 'o',
    form: {
      title: 'console.act.role',
      says: 'console.act.role.says',
      choices: {
        label: 'console.role',
        options: [...rights.filter(isPresent), ...rights.filter((one) => !isPresent(one))],
      },
      run: async ({ choice }) => {
        const [to, right] = choice.split(' ') as [Role, string | undefined];
        const body = { role: to, childSafety: right !== undefined };
        const { enrolment } = await confirmed('set_role', { ...params, ...body }, (options) =>
          call(setRole, { params, body }, options),
        );
        if (enrolment) onSecret({ kind: 'enrolment', value: enrolment });
      },
    },
  };
  const changing = !suspendedAt && mayCall(setRole) ? [ofRole] : [];
  if (role !== 'person') return changing;
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
        onSecret({ kind: 'resetLink', value: `${location.origin}${made.link}` });
      },
    },
  };
  const suspend: CaseAct = {
    id: 'suspend',
    label: 'console.act.suspend',
    key: 's',
    kind: 'danger',
    form: suspension(id, '', { isLonger: suspendedAt !== null }),
  };
  const count = reported?.dismissible ?? 0;
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
        options: [
          ...muteDays.map((days) => ({ value: `${days}`, label: `console.term.${days}` as const })),
          ...(count === 0
            ? []
            : muteDays.map((days) => ({
                value: `${days} dismiss`,
                label: `console.term.${days}.dismiss` as const,
                values: { count: Math.min(count, countedTo) },
              }))),
        ],
      },
      run: ({ reason, choice }) => {
        const [days, dismiss] = choice.split(' ');
        const body = { days: Number(days), reason, dismiss: dismiss !== undefined };
        return call(muteReports, { params, body });
      },
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
    ? [{ act: restore, by: restorePerson }, ...(suspendedUntil ? [{ act: suspend, by: suspendPerson }] : [])]
    : [
        { act: link, by: makeResetLink },
        { act: suspend, by: suspendPerson },
      ];
  const muting = isMuted ? { act: unmute, by: unmuteReports } : { act: mute, by: muteReports };
  return [...[...acts, muting].flatMap(({ act, by }) => (mayCall(by) ? [act] : [])), ...changing];
}
