/**
 * Numbers of the newest comments and of the newest people that are embedded in an entity. Exact counts have their own
 * fields.
 */
export interface Embedded {
  comments: number;
  people: number;
}
/** In an entity that is read alone. */
export const embeddedAlone: Embedded = { comments: 100, people: 100 };
/** In each entity of a list. */
export const embeddedInList: Embedded = { comments: 3, people: 20 };
