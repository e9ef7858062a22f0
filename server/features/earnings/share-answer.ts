/**
 * Calls with the same key that arrive while one of them is being answered get its answer: a thousand impatient taps do
 * not stand in line at the database one by one.
 */
export function shareAnswer<Argument, Answer>(
  keyOf: (argument: Argument) => string,
  run: (argument: Argument) => Promise<Answer>,
): (argument: Argument) => Promise<Answer> {
  const running = new Map<string, Promise<Answer>>();
  return (argument) => {
    const key = keyOf(argument);
    const answer =
      running.get(key) ??
      run(argument).finally(() => {
        running.delete(key);
      });
    running.set(key, answer);
    return answer;
  };
}
