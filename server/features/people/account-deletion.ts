// What the deletion of an account does to the person and their follows, in this order.
export { deleteFollows, deletePerson, lockFollows, lockForDeletion } from './people.queries.ts';
