/*
 * Loaded before every program that a test starts: it ends with the test, in whatever way that ends. Children of the program load it, too;
 * these have a channel of their own, which it must leave alone.
 */
if (process.ppid === Number(process.env.STARTED_BY)) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}
