import type { AvifInput, AvifOutput } from './avif.ts';
import type { CardInput } from './card.ts';
import type { CompareInput, CompareOutput } from './compare.ts';
import type { CoverInput, CoverOutput } from './cover.ts';
import type { PhotoInput, PhotoOutput } from './photo.ts';
import type { PrintInput, PrintOutput } from './print.ts';
import type { ProbeInput, ProbeOutput } from './probe.ts';
import type { RewrapInput, RewrapOutput } from './rewrap.ts';
import type { ThumbnailInput, ThumbnailOutput } from './thumbnail.ts';
import type { TranscodeInput, TranscodeOutput } from './transcode.ts';
import type { WatchInput, WatchOutput } from './watch.ts';

/** The tasks of a child process; most decode one uploaded file, and the decoders end with the process. */
interface Tasks {
  probe: { input: ProbeInput; output: ProbeOutput };
  transcode: { input: TranscodeInput; output: TranscodeOutput };
  transcodeIfShort: { input: TranscodeInput; output: TranscodeOutput | null };
  rewrap: { input: RewrapInput; output: RewrapOutput };
  photo: { input: PhotoInput; output: PhotoOutput };
  thumbnail: { input: ThumbnailInput; output: ThumbnailOutput };
  avif: { input: AvifInput; output: AvifOutput };
  card: { input: CardInput; output: object };
  cover: { input: CoverInput; output: CoverOutput };
  compare: { input: CompareInput; output: CompareOutput };
  print: { input: PrintInput; output: PrintOutput };
  watch: { input: WatchInput; output: WatchOutput };
}
export type TaskName = keyof Tasks;
export type TaskInput<N extends TaskName> = Tasks[N]['input'];
export type TaskOutput<N extends TaskName> = Tasks[N]['output'];

/** Each loads only what it needs: FFmpeg, sharp and their bindings together take half a second for every file. */
const tasks: { [N in TaskName]: (input: TaskInput<N>) => Promise<TaskOutput<N>> } = {
  probe: async (input) => (await import('./probe.ts')).probe(input),
  transcode: async (input) => (await import('./transcode.ts')).transcode(input),
  transcodeIfShort: async (input) => (await import('./transcode.ts')).transcodeIfShort(input),
  rewrap: async (input) => (await import('./rewrap.ts')).rewrap(input),
  photo: async (input) => (await import('./photo.ts')).photo(input),
  thumbnail: async (input) => (await import('./thumbnail.ts')).thumbnail(input),
  avif: async (input) => (await import('./avif.ts')).avif(input),
  card: async (input) => (await import('./card.ts')).card(input),
  cover: async (input) => (await import('./cover.ts')).cover(input),
  compare: async (input) => (await import('./compare.ts')).compare(input),
  print: async (input) => (await import('./print.ts')).print(input),
  watch: async (input) => (await import('./watch.ts')).watch(input),
};

export function runTask<N extends TaskName>(name: N, input: TaskInput<N>): Promise<TaskOutput<N>> {
  return tasks[name](input);
}
