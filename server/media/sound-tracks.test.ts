import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heardClip, watch } from '#testing/browser/video-inspection.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { makeClipOfTracks } from '#testing/fixtures/sound-tracks.ts';
import { isWhole } from '#testing/share.ts';
import { encodeVideo } from './encode-video.ts';
import { rewrapVideo } from './rewrap-video.ts';
import { listen } from './tasks/sound.ts';

let folder: string;
let out: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-tracks-'));
  await makeClip(at('early.mp4'), { sound: heardClip(0.5) });
  await makeClip(at('late.mp4'), { sound: heardClip(1) });
  await makeClip(at('silent.mp4'), { sound: heardClip(60) });
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  out = at('out');
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
});

type Track = 'early' | 'late' | 'silent';
const unknown = { from: 'early' as Track, isUnknown: true };

describe('the sound of a reel comes from the first track, the default one before others, that can be decoded and heard', () => {
  it.each<[string, Parameters<typeof made>[0], number | undefined, boolean]>([
    ['a spatial one before an ordinary one', [{ ...unknown, isDefault: true }, { from: 'late' }], 1, false],
    ['an ordinary one before a spatial one', [{ from: 'late' }, unknown], 1, false],
    ['the second is the default', [{ from: 'early' }, { from: 'late', isDefault: true }], 1, false],
    ['none is the default', [{ from: 'early' }, { from: 'late' }], 0.5, false],
    ['the default one is silent', [{ from: 'silent', isDefault: true }, { from: 'late' }], 1, false],
    ['only a silent one', [{ from: 'silent' }], undefined, false],
    ['only a spatial one', [unknown], undefined, true],
    ['two spatial ones', [unknown, unknown], undefined, true],
    ['none', [], undefined, false],
  ])('%s', async (_name, tracks, soundAt, soundLost) => {
    const result = await encodeVideo(await made(tracks), out);
    expect(result.soundLost).toBe(soundLost);
    const heard = await watch(join(out, 'video.mp4'));
    expect(heard.hasAudio).toBe(tracks.some((track) => !('isUnknown' in track)));
    if (soundAt === undefined) expect(heard.soundAt).toBeUndefined();
    else expect(Math.abs((heard.soundAt ?? 0) - soundAt)).toBeLessThan(0.05);
  });
});

// Clips of 45 seconds.
it.runIf(isWhole)(
  'a track that is silent for its first half minute gives way to one that is not, and is heard to its end if all are',
  async () => {
    for (const [name, soundAt] of [
      ['silent', 60],
      ['late', 35],
      ['early', 25],
    ] as const)
      await makeClip(at(`long-${name}.mp4`), { video: false, seconds: 45, sound: heardClip(soundAt) });
    const heardOf = async (...names: string[]) => {
      const path = at('long-tracks.mov');
      await makeClipOfTracks(
        path,
        at('early.mp4'),
        names.map((name) => ({ from: at(`long-${name}.mp4`) })),
      );
      const heard = await listen(path, 'mov');
      return { track: heard?.track, isHeard: (heard?.loudness ?? Number.NEGATIVE_INFINITY) > -30 };
    };
    expect(await heardOf('late', 'early')).toEqual({ track: 2, isHeard: true });
    expect(await heardOf('late', 'silent')).toEqual({ track: 1, isHeard: true });
    expect(await heardOf('late')).toEqual({ track: 1, isHeard: true });
    expect(await heardOf('silent', 'silent')).toEqual({ track: 1, isHeard: false });
  },
);

it('a video of a link is saved with a track that players can decode', async () => {
  await rewrapVideo(await made([{ ...unknown, isDefault: true }, { from: 'late' }]), out, at('frame.png'));
  const heard = await watch(join(out, 'video.mp4'));
  expect(heard.hasAudio).toBe(true);
  expect(Math.abs((heard.soundAt ?? 0) - 1)).toBeLessThan(0.05);
});

async function made(tracks: { from: Track; isDefault?: boolean; isUnknown?: boolean }[]): Promise<string> {
  const path = at('tracks.mov');
  const files = tracks.map((track) => ({ ...track, from: at(`${track.from}.mp4`) }));
  await makeClipOfTracks(path, at('early.mp4'), files);
  return path;
}
