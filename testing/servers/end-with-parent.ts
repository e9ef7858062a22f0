/* Loaded before every program that a test starts: it ends with the test, in whatever way that ends. */
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
