import { createContext, useContext } from 'react';
import { mayCall, type NeededRole, type Role } from '#contract/roles.ts';

/** The role of the operator who works here. */
export const OwnRole = createContext<Role>('person');

/** Whether this operator may make a call. */
export function useMayCall(): (call: { role: NeededRole }) => boolean {
  const own = useContext(OwnRole);
  return ({ role }) => mayCall(own, role);
}
