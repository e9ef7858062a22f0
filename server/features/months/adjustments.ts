export {
  type AdjustmentRow,
  creatorsWithAdjustments,
  insertAdjustment,
  listAdjustments,
  listCreatorsWaiting,
  listUndecided,
  listUndecidedOf,
} from './adjustments.queries.ts';
