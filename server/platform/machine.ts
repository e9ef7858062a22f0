import { availableParallelism, loadavg } from 'node:os';

/** Whether half of the machine's processors were busy in the last minute. */
export const isMachineBusy = () => (loadavg()[0] ?? 0) > availableParallelism() / 2;
