/** A random UUID (version 4) or a time-ordered random UUID (version 7). */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Whether an id can serve as a shared secret. Nothing else distinguishes anonymous callers: two of them may both choose an id
 * such as `support`.
 */
export function isUnguessable(id: string): boolean {
  return RANDOM_UUID.test(id);
}
