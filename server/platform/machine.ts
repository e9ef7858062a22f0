import { availableParallelism, loadavg } from 'node:os';

/** Whether half of the machine's processors had something to do in the last minute. */
export const isMachineBusy = () => (loadavg()[0] ?? 0) > availableParallelism() / 2;
