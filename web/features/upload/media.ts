import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';

/** A chosen file. It is on screen at once; what is read from it follows. */
export interface Picked {
  file: File;
  objection: Promise<MessageId | undefined>;
  /** What stands for it; undefined where this browser cannot make one. */
  thumbnail: Promise<File | undefined>;
  /** Where in the video it was taken from, in seconds, once somebody chose. */
  coverAt?: number;
}

export interface PreviewProps {
  picked: Picked;
  /** Takes another frame of the video as what stands for it; there is none once it is on its way. */
  onCover?: ((cover: Pick<Picked, 'thumbnail' | 'coverAt'>) => void) | undefined;
}

/** What one kind of file is called, how it is looked over before a byte is sent, and how it is shown. */
export interface Media {
  /** Of the file chooser. */
  accept: string;
  /** How the type of such a file begins. */
  typePrefix: string;
  /** Numbers that the words below speak of. */
  limits: Record<string, number>;
  words: Record<
    'label' | 'drop' | 'dropTouch' | 'pick' | 'camera' | 'limits' | 'missing' | 'checking',
    MessageId
  >;
  /** Why a file will not be taken, as its size says. */
  sizeObjection: (file: File) => MessageId | undefined;
  /** Why a file will not be taken, as far as the browser can tell; the server looks closer. */
  contentObjection: (file: File) => Promise<MessageId | undefined>;
  thumbnailOf: (file: File) => Promise<File | undefined>;
  icon: LucideIcon;
  Preview: ComponentType<PreviewProps>;
}
