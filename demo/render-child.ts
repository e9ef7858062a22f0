import { constants, setPriority } from 'node:os';
import { AV_LOG_ERROR, Log } from 'node-av';
import { renderClip } from './clips/render.ts';
import { renderAvatar, renderPicture, renderStory } from './pictures/render.ts';
import type { Kind } from './renderer.ts';

Log.setLevel(AV_LOG_ERROR);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the parent decides when to stop.
process.on('SIGINT', () => undefined);

const renderers = { clip: renderClip, picture: renderPicture, story: renderStory, avatar: renderAvatar };

process.on('message', async ({ kind, index, path }: { kind: Kind; index: number; path: string }) => {
  try {
    await renderers[kind](index, path);
    process.send?.('');
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
  }
});
