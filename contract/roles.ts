/** What operators may do: decide reports, pay creators, or all of that and the site itself. Each operator has one of them. */
export const operatorRoles = ['moderator', 'payer', 'administrator'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Of an account. */
export const roles = ['person', ...operatorRoles] as const;
export type Role = (typeof roles)[number];

/** The role that a call of operators needs; `any`: each operator may make it. */
export type NeededRole = 'any' | OperatorRole;

/** Whether an operator of this role may make a call. An administrator may do what both others may. */
export const mayCall = (role: Role, needed: NeededRole): boolean =>
  role !== 'person' && (needed === 'any' || role === needed || role === 'administrator');

/** The roles whose operators may make a call. */
export const rolesThatMay = (needed: NeededRole): OperatorRole[] =>
  operatorRoles.filter((role) => mayCall(role, needed));
