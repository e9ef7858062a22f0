/** For code that publishes without a running server, such as the demo: it queues no jobs. */
export const noJobs = { send: async () => undefined };
