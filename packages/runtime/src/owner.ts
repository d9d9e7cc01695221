/** Who owns a task: the tenant and the authenticated caller. */
export interface Owner {
  readonly tenant: string;
  readonly caller: string;
  readonly authenticated: boolean;
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
