import type { MessageId } from '../../messages/catalogues.ts';

export interface Member {
  name: string;
  role: MessageId;
  /** Links are shown only where there are any (specification §2, /About). */
  links: { network: 'professional' | 'posts' | 'photos'; url: string }[];
}

/** One founder and two contributors. */
export const team: Member[] = [
  { name: 'Ishan Verma', role: 'about.founder', links: [] },
  { name: 'Kavya Menon', role: 'about.contributor', links: [] },
  { name: 'Rohan Das', role: 'about.contributor', links: [] },
];
