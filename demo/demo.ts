import type { ReceivedFile } from '#server/platform/storage.ts';
import type { Server } from '#server/server.ts';

/** What every step of the demo stands on. */
export interface Demo extends Pick<Server, 'db' | 'storage'> {
  timeZone: string;
  /** When the demo was begun; its past is counted back from here. */
  now: Date;
  /** Ids by username. */
  ids: Map<string, string>;
  signal: AbortSignal;
}

/** Takes in what was drawn, as an upload would be. */
export type Drawn = () => Promise<ReceivedFile>;
