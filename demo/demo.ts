import type { ReceivedFile } from '../server/platform/storage.ts';
import type { Server } from '../server/server.ts';
import type { Kind } from './renderer.ts';

/** What every step of the demo stands on. */
export interface Demo extends Pick<Server, 'db' | 'storage'> {
  timeZone: string;
  /** When the demo was begun; its past is counted back from here. */
  now: Date;
  /** Ids by username. */
  ids: Map<string, string>;
  signal: AbortSignal;
  /** Draws something and takes it in as an upload would be. */
  draw(kind: Kind, index: number): Promise<ReceivedFile>;
}
