import type { SessionUser } from '../session/session.ts';

/** Who publishes, as the specification's calls name them; the server goes by the token. */
export interface Publisher {
  userId?: string;
  username?: string;
}

export function publisherOf({ _id, username }: SessionUser): Publisher {
  return { ...(_id ? { userId: _id } : {}), ...(username ? { username } : {}) };
}
