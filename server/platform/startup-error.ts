/** The program cannot start. The message is one sentence for the person who started it. */
export class StartupError extends Error {
  override name = 'StartupError';
}
