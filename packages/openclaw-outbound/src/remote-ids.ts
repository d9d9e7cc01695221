import { createHash } from 'node:crypto';

/** Longer than the ids of any known agent. */
export const MAX_ID_LENGTH = 256;

/** White space, invisible characters, and what could imitate a marker or end a string. */
const IMPLAUSIBLE = /[\s\p{C}<>"'`\\]/u;

/** Whether a task id or context id of another agent is an id at all. Programs get such ids unchanged. */
export function isPlausibleId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && !IMPLAUSIBLE.test(id);
}

/** The id if there is one and it is plausible. Some agents send an empty id for none. */
export function plausibleId(id: string | undefined): string | undefined {
  return id !== undefined && id !== '' && isPlausibleId(id) ? id : undefined;
}

/** UUIDs, ULIDs and long hexadecimal numbers: nothing can be written with them. */
const OPAQUE =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=(?:[a-z]*\d){4})[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{12,64}|\d+)(?![A-Za-z0-9])/gi;
const MAX_SHOWN_LENGTH = 128;
/** Of what is not opaque. */
const MAX_TOKEN_LENGTH = 48;
const TOKEN = /^[A-Za-z0-9._:/@-]*$/;
/** "projects/p/tasks/1" has two. More are a sentence. */
const MAX_WORDS = 3;
const MAX_WORD_LENGTH = 16;

/**
 * The id if a model can read it without markers: too short and too poor in words to tell the model something. Ids are chosen by
 * other agents, and a text needs neither spaces nor line breaks.
 */
export function shownId(id: string | undefined): string | undefined {
  if (id === undefined || id === '' || id.length > MAX_SHOWN_LENGTH) return undefined;
  const rest = id.replaceAll(OPAQUE, '');
  if (rest.length > MAX_TOKEN_LENGTH || !TOKEN.test(rest)) return undefined;
  const words = rest.match(/[A-Za-z]{2,}/g) ?? [];
  const isShort = words.every((word) => word.length <= MAX_WORD_LENGTH);
  return words.length <= MAX_WORDS && isShort ? id : undefined;
}

/** What a model sees instead of a context id that is not shown. */
export function contextName(contextId: string): string {
  return `rac_${createHash('sha256').update(contextId).digest('hex').slice(0, 32)}`;
}
