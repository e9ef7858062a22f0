import { fetchedPart } from '../offline/fetched-part.tsx';

/** The dialog that reports something to the operators, loaded when it opens. */
export const ReportDialog = fetchedPart(() => import('./report-dialog.tsx'));
