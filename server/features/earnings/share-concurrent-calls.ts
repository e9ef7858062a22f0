/**
 * Runs calls with the same key only once while they overlap, and gives all of them the same result, so that repeated
 * taps do not queue for the same database row.
 */
export function shareConcurrentCalls<Argument, Result>(
  keyFor: (argument: Argument) => string,
  run: (argument: Argument) => Promise<Result>,
): (argument: Argument) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (argument) => {
    const key = keyFor(argument);
    const result =
      running.get(key) ??
      run(argument).finally(() => {
        running.delete(key);
      });
    running.set(key, result);
    return result;
  };
}
