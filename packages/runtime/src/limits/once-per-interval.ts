/**
 * Returns a function that is true on its first call, and then at most once per interval: for log lines that would
 * repeat.
 */
export function oncePerInterval(intervalMilliseconds: number): () => boolean {
  let last = -Infinity;
  return () => {
    const now = performance.now();
    if (now - last < intervalMilliseconds) return false;
    last = now;
    return true;
  };
}
