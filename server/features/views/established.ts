export { type AccountLimits, isActive, sumOfActive } from './established.queries.ts';
