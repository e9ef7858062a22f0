/** The result of the work that is running under a key, or of new work: of concurrent callers only the first one does it. */
export function singleFlight<T>(
  running: Map<string, Promise<T>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const result = running.get(key) ?? work().finally(() => running.delete(key));
  running.set(key, result);
  return result;
}
