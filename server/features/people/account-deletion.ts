import * as queries from './people.queries.ts';

/** Takes whom a departing person follows and who follows them; then the person, for good: undefined where they are gone. */
export const holdFollows = queries.lockFollows;
export const holdPerson = queries.lockForDeletion;
/** Ends every follow of and by them; others' counts are exact afterwards. */
export const forgetFollows = queries.deleteFollows;
/** Takes the person away, and with them sessions, notifications by and to them, and whatever else is only theirs. */
export const forgetPerson = queries.deletePerson;
