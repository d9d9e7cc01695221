import { createHash } from 'node:crypto';
import { ownerKey } from '../../owner.ts';
import type { Owner } from '../executor.ts';

/** A file name for a context of an owner. Two owners can use the same context id, and stay separate (J9). */
export function contextFolderName(owner: Owner, contextId: string): string {
  return createHash('sha256')
    .update(ownerKey(owner))
    .update('\n')
    .update(contextId)
    .digest('hex')
    .slice(0, 32);
}
