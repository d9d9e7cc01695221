import { createHash } from 'node:crypto';
import { ownerKey } from '../../owner.ts';
import type { Owner } from '../executor.ts';

const PREFIX = 'a2a-';
/** Session ids have 64 characters at most. */
const LONGEST_NAME = 60;
const MARK = '--';
const HASH_CHARACTERS = 16;

/** Names that are written as pairs, `user:123/session:456`, stay readable: they are their owners' usual way to write. */
const PAIRS = /^[a-z]\w*:\w+(?:\/[a-z]\w*:\w+)+$/;
/** What pairs become. A context that has this name from the start must not meet them. */
const LIKE_PAIRS = /^[a-z][a-z0-9_]*-[a-z0-9_]+(?:-[a-z][a-z0-9_]*-[a-z0-9_]+)+$/;
/** A context that looks as if it had been marked must not meet one that has been. */
const LIKE_MARKED = /--[0-9a-f]{16}$/;

/**
 * The OpenClaw session in which a context is remembered: `a2a-` and the context's id, lower-cased, with a hyphen for
 * whatever a session id cannot hold, cut to 64 characters. It is computed and never stored, so it outlives every restart.
 *
 * No two contexts share a session. Where that name does not say which context it came from, a hash of the context follows
 * it: when letters changed their case, characters were replaced or cut off, or when the id looks like a name that this
 * function makes of another. Ids written as pairs (`user:123/session:456`) are the exception that has the plain name; an
 * id that has that very name itself (`user-123-session-456`) is the one that gets the hash.
 *
 * Two owners may give their contexts the same id, so all contexts of an authenticated caller or a tenant are hashed with
 * their owner (J9).
 */
export function sessionIdOf(
  contextId: string | undefined,
  { defaultSessionId, owner }: { readonly defaultSessionId: string; readonly owner?: Owner },
): string {
  const scoped = owner !== undefined && (owner.authenticated || owner.tenant !== '');
  if (!contextId || contextId === defaultSessionId) {
    if (!scoped) return defaultSessionId;
    return marked(defaultSessionId.replace(PREFIX, ''), ownerKey(owner));
  }
  const name = contextId
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (scoped) return marked(name, `${ownerKey(owner)}\n${contextId}`);
  const plain = `${PREFIX}${name}`;
  return isUnmistakable(contextId, name) && plain !== defaultSessionId ? plain : marked(name, contextId);
}

function isUnmistakable(contextId: string, name: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  if (contextId !== name) return PAIRS.test(contextId) && contextId.toLowerCase() === contextId;
  return !LIKE_PAIRS.test(name) && !LIKE_MARKED.test(name);
}

function marked(name: string, origin: string): string {
  const hash = createHash('sha256').update(origin).digest('hex').slice(0, HASH_CHARACTERS);
  const shortened = name.slice(0, LONGEST_NAME - MARK.length - HASH_CHARACTERS) || 'context';
  return `${PREFIX}${shortened}${MARK}${hash}`;
}
