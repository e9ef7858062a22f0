export { asResult, findMonths, findResults, lockMonths } from './month-rows.queries.ts';
