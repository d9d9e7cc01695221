import { createHash } from 'node:crypto';
import { ownerKey } from '../../owner.ts';
import type { Owner } from '../../owner.ts';

const PREFIX = 'a2a-';
/** Session ids have at most 64 characters. */
const MAX_NAME_LENGTH = 60;
const MARK = '--';
const HASH_CHARACTERS = 16;

/** Ids written as pairs, `user:123/session:456`, are common and stay readable. */
const PAIRS = /^[a-z]\w*:\w+(?:\/[a-z]\w*:\w+)+$/;
/** What pairs become. A context with such an id must not share their session. */
const LIKE_PAIRS = /^[a-z][a-z0-9_]*-[a-z0-9_]+(?:-[a-z][a-z0-9_]*-[a-z0-9_]+)+$/;
/** What an id with a hash looks like. A context with such an id must not share its session. */
const LIKE_MARKED = /--[0-9a-f]{16}$/;

/**
 * The OpenClaw session of a context: `a2a-` and the context id in lower case, with a hyphen for characters that a session id
 * cannot contain, truncated to 64 characters. It is computed and never stored, so it is the same after every restart.
 *
 * No two contexts share a session. If the name is ambiguous, a hash of the context id is appended: when letters changed case,
 * when characters were replaced or cut off, or when the id looks like a name that this function derives from another id.
 * Ids written as pairs (`user:123/session:456`) are the exception and get the plain name; an id that equals such a name
 * (`user-123-session-456`) gets the hash instead.
 *
 * The context of messages without a context is named like its session, the option `sessionId`, and keeps that name.
 *
 * Two owners can use the same context id, so all contexts of an authenticated caller or a tenant are hashed with their owner
 * (J9).
 */
export function sessionIdOf(
  contextId: string,
  { defaultSessionId, owner }: { readonly defaultSessionId?: string | undefined; readonly owner?: Owner },
): string {
  const scoped = owner !== undefined && (owner.authenticated || owner.tenant !== '');
  if (contextId === defaultSessionId) {
    return scoped ? marked(contextId.replace(PREFIX, ''), ownerKey(owner)) : contextId;
  }
  const name = contextId
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (scoped) return marked(name, `${ownerKey(owner)}\n${contextId}`);
  const plain = `${PREFIX}${name}`;
  return isUnambiguous(contextId, name) && plain !== defaultSessionId ? plain : marked(name, contextId);
}

function isUnambiguous(contextId: string, name: string): boolean {
  if (name.length > MAX_NAME_LENGTH) return false;
  if (contextId !== name) return PAIRS.test(contextId) && contextId.toLowerCase() === contextId;
  return !LIKE_PAIRS.test(name) && !LIKE_MARKED.test(name);
}

function marked(name: string, origin: string): string {
  const hash = createHash('sha256').update(origin).digest('hex').slice(0, HASH_CHARACTERS);
  const shortened = name.slice(0, MAX_NAME_LENGTH - MARK.length - HASH_CHARACTERS) || 'context';
  return `${PREFIX}${shortened}${MARK}${hash}`;
}
