import type { CaseReason } from './cases.ts';

/** Whether a case is about what may show a child: only operators with that right see it, each look is logged, and they decide it. */
export const mayShowChild = ({ reasons }: { reasons: readonly CaseReason[] }): boolean =>
  reasons.includes('child_safety');
