/** Longer than the ids of any known agent. */
export const MAX_ID_LENGTH = 256;

/** White space, invisible characters, and what could imitate a marker or end a string. */
const IMPLAUSIBLE = /[\s\p{C}<>"'`\\]/u;

/**
 * Whether a task id or context id of another agent is nothing but an id. Ids are passed back unchanged, so they reach models
 * without markers: one that could contain a text for the model is not shown.
 */
export function isPlausibleId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && !IMPLAUSIBLE.test(id);
}

/** The id if there is one and it can be shown. Some agents send an empty id for none. */
export function plausibleId(id: string | undefined): string | undefined {
  return id !== undefined && id !== '' && isPlausibleId(id) ? id : undefined;
}
