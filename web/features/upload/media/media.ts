import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';

/** A chosen file. It is shown at once; the results of reading it follow as promises. */
export interface Picked {
  file: File;
  problem: Promise<MessageId | undefined>;
  /** Undefined where this browser cannot make a thumbnail. */
  thumbnail: Promise<File | undefined>;
  /** The second of the video that the thumbnail shows, if the person chose one. */
  coverAt?: number;
}

export interface PreviewProps {
  picked: Picked;
  /** Chooses another frame as the thumbnail. Undefined during the upload. */
  onCover?: ((cover: Pick<Picked, 'thumbnail' | 'coverAt'>) => void) | undefined;
}

/** How forms name, check and show one kind of file. */
export interface Media {
  /** The `accept` attribute of the file input. */
  accept: string;
  /** The beginning of the MIME type, such as `video/`. */
  typePrefix: string;
  /** The values for the placeholders in `words`. */
  limits: Record<string, number>;
  words: Record<
    'label' | 'drop' | 'dropTouch' | 'pick' | 'camera' | 'limits' | 'missing' | 'checking',
    MessageId
  >;
  /** The error message if the file's size is not allowed. */
  sizeProblem: (file: File) => MessageId | undefined;
  /** The error message if the browser sees that the file is not allowed. The server checks more. */
  contentProblem: (file: File) => Promise<MessageId | undefined>;
  thumbnailOf: (file: File) => Promise<File | undefined>;
  icon: LucideIcon;
  Preview: ComponentType<PreviewProps>;
}
