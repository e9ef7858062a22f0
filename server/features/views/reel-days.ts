export { listByDay, listOfDay, sumByReel } from './reel-days.queries.ts';
