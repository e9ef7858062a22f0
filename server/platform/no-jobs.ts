/** For what publishes past the server: it orders none of the server's jobs. */
export const noJobs = { send: async () => undefined };
