export { listByDay, sumByReel } from './reel-days.queries.ts';
