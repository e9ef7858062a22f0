import { statSync } from 'node:fs';
import { type Clock, systemClock } from './clock.ts';
import { readSettingFile } from './setting-paths.ts';
import { StartupError } from './startup-error.ts';

/**
 * A clock for trying out what takes weeks. It starts at the instant in a file (such as `2026-12-01T00:00:00+05:30`) when the file is
 * written, and runs from there; writing the file again changes it. All processes with the same file share its time. Throws StartupError if
 * the file contains no instant.
 */
function openTestClock(file: string): Clock {
  let offset = 0;
  let writtenAt: number | undefined;
  const read = () => {
    const { mtimeMs } = statSync(file);
    if (mtimeMs === writtenAt) return;
    const instant = Date.parse(readSettingFile(file).trim());
    // A file that is being written may be empty for a moment: the previous time continues.
    if (Number.isNaN(instant)) return;
    writtenAt = mtimeMs;
    offset = instant - mtimeMs;
  };
  try {
    read();
  } catch {
    throw new StartupError(`The file ${file} of TEST_CLOCK cannot be read.`);
  }
  if (writtenAt === undefined)
    throw new StartupError(
      `The file ${file} of TEST_CLOCK must contain an instant, such as 2026-12-01T00:00:00+05:30.`,
    );
  return () => {
    read();
    return new Date(Date.now() + offset);
  };
}

/** The time of the machine, or of the test clock if TEST_CLOCK is set. */
export const clockOf = (testClock: string | undefined): Clock =>
  testClock === undefined ? systemClock : openTestClock(testClock);
