import type { Readable } from 'node:stream';

/** A file of the inbox on this machine's disk, for as long as somebody holds it. */
export interface LocalFile {
  /** Unguessable; the name of the file in the inbox. */
  key: string;
  path: string;
  bytes: number;
  /**
   * Makes it stay in the inbox, whole and durable, until it is discarded. What has only been received goes when it is
   * let go of, unless it has been kept.
   */
  keep(): Promise<void>;
  letGo(): Promise<void>;
}

export interface ReceivedFile extends LocalFile {
  sha256: Buffer;
}

/** Where bytes wait as they came: private and short-lived. */
export interface Inbox {
  /**
   * Writes a stream to this machine's disk; what breaks off leaves nothing behind. Whoever receives it lets go of it. Room
   * for `announced` bytes is reserved before the first; where nobody said how many will come, step by step.
   */
  receive(stream: Readable, announced?: number): Promise<ReceivedFile>;
  /**
   * Adds a stream to what has arrived under a key, from byte `offset` on, and returns how much is there then, durable.
   * What came before it broke off stays. Sent twice or by two processes at once, bytes of one file do no harm.
   */
  append(key: string, offset: number, stream: Readable): Promise<number>;
  /** How much has arrived under a key, from its first byte and without a gap. */
  arrived(key: string): Promise<number>;
  /** What has arrived under a key, on this machine's disk; undefined where there is nothing. */
  fetch(key: string): Promise<LocalFile | undefined>;
  /** Removes what is under a key; what is not there is removed. */
  discard(key: string): Promise<void>;
}

/** Room on this machine's disk for what is being made. */
export interface Workspaces {
  /**
   * Runs `make` with a private folder to make files in; what it leaves there is removed. Room for `bytes` is reserved
   * before, and more as the folder grows; where there is none left, the signal says so and what is thrown then is
   * `storage_full`.
   */
  inWorkspace<T>(make: (folder: string, full: AbortSignal) => Promise<T>, bytes?: number): Promise<T>;
  /** Removes workspaces of this machine that a killed process left. */
  sweepWorkspaces(before: Date): Promise<void>;
}

/** One file of what is public under a key. */
export interface StoredFile {
  name: string;
  changedAt: Date;
  /** From its first byte; ends the file when it is destroyed. */
  open(): Readable;
}

/** What we made of them: public, one immutable folder an unguessable key. */
export interface MediaStore {
  /**
   * Makes the files of a local folder public under `key`; each is there whole or not at all, and once all are there, a
   * second time changes nothing.
   */
  publish(key: string, folder: string): Promise<void>;
  /** One file of what is public under `key`; undefined where it is not there. */
  find(key: string, name: string): Promise<StoredFile | undefined>;
  /** Removes all that is under a key; what is not there is removed. */
  remove(key: string): Promise<void>;
}

/** One file in the store. */
export interface StoredObject {
  /** Where it lies: `inbox/<key>…` or `media/<key>/<name>`. */
  key: string;
  /** In bytes. */
  size: number;
  modifiedAt: Date;
}

/**
 * All of it; a rule asks for the part that it needs. Where the store is down, slow, broken or lies about a length, every
 * call throws the Refusal `unavailable` (503) after a bounded wait and leaves nothing half-written in sight.
 */
export interface Storage extends Inbox, Workspaces, MediaStore {
  /** Every file whose key begins with `prefix`, those of one folder one after the other. */
  list(prefix?: string): AsyncIterable<StoredObject>;
  close(): Promise<void>;
}

/** Works with a file, if there is one, and lets go of it. */
export async function holding<F extends LocalFile | undefined, T>(
  file: F,
  work: (file: F) => Promise<T>,
): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file?.letGo();
  }
}
