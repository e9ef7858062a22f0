import { type PhotoInput, type PhotoOutput, photo } from './photo.ts';
import { type ProbeInput, type ProbeOutput, probe } from './probe.ts';
import { type ThumbnailInput, type ThumbnailOutput, thumbnail } from './thumbnail.ts';
import { type TranscodeInput, type TranscodeOutput, transcode } from './transcode.ts';

/** What a child process can be asked to do; each reads one foreign file, and its decoders end with the process. */
interface Tasks {
  probe: { input: ProbeInput; output: ProbeOutput };
  transcode: { input: TranscodeInput; output: TranscodeOutput };
  photo: { input: PhotoInput; output: PhotoOutput };
  thumbnail: { input: ThumbnailInput; output: ThumbnailOutput };
}
export type TaskName = keyof Tasks;
export type TaskInput<N extends TaskName> = Tasks[N]['input'];
export type TaskOutput<N extends TaskName> = Tasks[N]['output'];

const tasks: { [N in TaskName]: (input: TaskInput<N>) => Promise<TaskOutput<N>> } = {
  probe,
  transcode,
  photo,
  thumbnail,
};

export function runTask<N extends TaskName>(name: N, input: TaskInput<N>): Promise<TaskOutput<N>> {
  return tasks[name](input);
}
