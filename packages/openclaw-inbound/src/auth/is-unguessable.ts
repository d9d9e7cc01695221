/** A UUID that was made by chance (version 4), or by time and chance (version 7). */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Whether an id can serve as a secret between those who know it. Callers without a credential are told apart by nothing
 * else: a name such as `support` may come to two of them.
 */
export function isUnguessable(id: string): boolean {
  return RANDOM_UUID.test(id);
}
