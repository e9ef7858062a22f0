import type { PlayerState } from '../player/playlist.ts';

export interface NewSinceProps {
  before: Date;
  /** The feed, newest first. */
  videos: PlayerState['videos'];
  rest: PlayerState['rest'];
}
