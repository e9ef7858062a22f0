import type { SessionUser } from '#web/features/session/session.ts';

/** The specification's calls name the publisher in the body, but the server trusts only the token. */
export interface Publisher {
  userId?: string;
  username?: string;
}

export function publisherOf({ _id, username }: SessionUser): Publisher {
  return { ...(_id ? { userId: _id } : {}), ...(username ? { username } : {}) };
}
