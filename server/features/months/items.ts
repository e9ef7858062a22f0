export { type ItemRow, listItems, sumLeftOvers } from './items.queries.ts';
