import type { OperatorRole, Role } from '#contract/roles.ts';

/** The role of an account, of its two columns: those of the previous version know only `operator`. */
export const roleOf = (row: { role: 'person' | 'operator'; operator_role: OperatorRole }): Role =>
  row.role === 'operator' ? row.operator_role : 'person';
