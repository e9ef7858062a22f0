/** For code that publishes without a running server, such as the demo: it sends no jobs. */
export const noJobs = { send: async () => undefined };
