import type { Readable } from 'node:stream';

/** A file of the inbox that is available on this machine's disk until it is released. */
export interface LocalFile {
  /** Unguessable; the name of the file in the inbox. */
  key: string;
  path: string;
  bytes: number;
  /** Stores the file durably in the inbox until it is discarded. A received file is deleted on `release` unless it was stored. */
  store(): Promise<void>;
  release(): Promise<void>;
}

export interface ReceivedFile extends LocalFile {
  sha256: Buffer;
}

/** Private, short-lived storage for files as they were received. */
export interface Inbox {
  /**
   * Writes a stream to this machine's disk; an interrupted stream leaves no file. The caller must release the file. Space for
   * `announced` bytes is reserved first; if the length is unknown, space is reserved step by step.
   */
  receive(stream: Readable, announced?: number): Promise<ReceivedFile>;
  /**
   * Appends a stream to the file under a key, from byte `offset` on, and returns the new durable length. Bytes before an
   * interruption stay. The same bytes may be sent twice, or by two processes at once.
   */
  append(key: string, offset: number, stream: Readable): Promise<number>;
  /** Number of bytes that have arrived under a key without a gap. */
  arrived(key: string): Promise<number>;
  /** Brings the file under a key to this machine's disk; undefined if nothing has arrived. */
  fetch(key: string): Promise<LocalFile | undefined>;
  /** Removes the file under a key; it is no error if there is none. */
  discard(key: string): Promise<void>;
}

/** Temporary folders on this machine's disk in which files are made. */
export interface Workspaces {
  /**
   * Runs `make` with a private folder, which is removed afterwards. Space for `bytes` is reserved first, and more as the folder
   * grows. When the disk is full, the signal aborts and `storage_full` is thrown.
   */
  inWorkspace<T>(make: (folder: string, full: AbortSignal) => Promise<T>, bytes?: number): Promise<T>;
  /** Removes workspaces that killed processes of this machine left. */
  sweepWorkspaces(before: Date): Promise<void>;
}

/** One public file. */
export interface StoredFile {
  name: string;
  bytes: number;
  changedAt: Date;
  /** Reads the file from its beginning; destroy the stream to close it. */
  open(): Readable;
}

/** Public storage for the files made from uploads: one folder of immutable files for each unguessable key. */
export interface MediaStore {
  /**
   * Publishes the files of a local folder under `key`. Each file appears completely or not at all, and publishing complete files
   * again changes nothing.
   */
  publish(key: string, folder: string): Promise<void>;
  /**
   * Moves a local file into the published folder of `key`, completely or not at all. If the same file was added before, nothing changes. A
   * deleted folder may stay deleted, or exist again with this file only: the caller checks it afterwards.
   */
  add(key: string, name: string, path: string): Promise<void>;
  /** One public file of `key`; undefined if it does not exist. */
  find(key: string, name: string): Promise<StoredFile | undefined>;
  /** Removes all files of a key; it is no error if there are none. */
  remove(key: string): Promise<void>;
}

/** One file in the store. */
export interface StoredObject {
  /** Its path in the store: `inbox/<key>…` or `media/<key>/<name>`. */
  key: string;
  /** In bytes. */
  size: number;
  modifiedAt: Date;
}

/**
 * The whole storage; a rule takes only the part that it needs. If the store is down, slow or returns wrong data, every call throws
 * the Refusal `unavailable` (503) after a limited wait and leaves no incomplete file visible.
 */
export interface Storage extends Inbox, Workspaces, MediaStore {
  /** Lists all files whose key begins with `prefix`, grouped by folder. */
  list(prefix?: string): AsyncIterable<StoredObject>;
  close(): Promise<void>;
}

/** Runs `work` with a file, if there is one, and then releases the file. */
export async function holding<F extends LocalFile | undefined, T>(
  file: F,
  work: (file: F) => Promise<T>,
): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file?.release();
  }
}
