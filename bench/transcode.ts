import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeVideo } from '#server/media/encode-video.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { inMilliseconds, inTurns, type Measurement, milliseconds, percent, runScript } from './harness.ts';

/** Everything that the pipeline does with a phone's clip, against only decoding, scaling and encoding it. */
export const transcode: Measurement = {
  name: 'transcode',
  async run(bench) {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-bench-'));
    try {
      const path = join(folder, 'clip.mp4');
      const source = 'testsrc2=size=1080x1920:rate=30,noise=alls=12:allf=t';
      await makeClip(path, { seconds: 8, source });
      const { ours, theirs, ratio } = await inTurns(
        Math.min(3, bench.rounds),
        () => milliseconds(() => encodeVideo(path, folder)),
        () => milliseconds(() => runScript(new URL('bare-encoder.ts', import.meta.url), { path, folder })),
      );
      return [
        {
          what: '8 s of 1080×1920 into three renditions',
          ours: inMilliseconds(ours),
          against: `${inMilliseconds(theirs)}, the bare encoder`,
          ratio: percent(1 / ratio),
          reach: '',
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
