import { createHash } from 'node:crypto';
import { ownerKey } from '../../owner.ts';
import type { Owner } from '../executor.ts';

/**
 * A name for a context of an owner that is safe in file names. Two owners may give their contexts the same id; what they
 * say to an agent stays apart (J9).
 */
export function contextFolderName(owner: Owner, contextId: string): string {
  return createHash('sha256')
    .update(ownerKey(owner))
    .update('\n')
    .update(contextId)
    .digest('hex')
    .slice(0, 32);
}
