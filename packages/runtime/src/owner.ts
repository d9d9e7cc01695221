/** Who owns a task: the tenant and the authenticated caller. */
export interface Owner {
  readonly tenant: string;
  readonly caller: string;
  readonly authenticated: boolean;
  /**
   * Who the limits per caller apply to, if two callers of the same name can be different ones.
   * @default the caller
   */
  readonly identity?: string | undefined;
}

/**
 * Who the limits per caller apply to. Not the tenant: a caller who may name any tenant would raise its limits that way.
 * Undefined for anonymous callers, who have none: they are usually someone on this machine.
 */
export function identityOf({ authenticated, caller, identity }: Owner): string | undefined {
  return authenticated ? (identity ?? caller) : undefined;
}

/** By far the most frequent one on a machine without credentials. */
const ANYBODY_HERE = JSON.stringify(['']);

/**
 * The string that a store keeps as the owner of a task (J9). Anonymous callers have a separate scope, which no name of
 * an authenticated caller can match.
 */
export function ownerKey(owner: Owner): string {
  if (!owner.authenticated && owner.tenant === '') return ANYBODY_HERE;
  return JSON.stringify(owner.authenticated ? [owner.tenant, owner.caller] : [owner.tenant]);
}

export function ownerFromKey(key: string): Owner {
  const [tenant = '', caller] = JSON.parse(key) as string[];
  return caller === undefined
    ? { tenant, caller: 'anonymous', authenticated: false }
    : { tenant, caller, authenticated: true };
}

/** Identifies a context of the owner with this key. Two owners may use the same context id. */
export function contextKey(owner: string, contextId: string): string {
  return `${owner}\n${contextId}`;
}
