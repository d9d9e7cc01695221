import { A2AError } from '@holdword/protocol';
import type { Owner } from '../owner.ts';
import type { Caller } from './auth/authentication.ts';

/** The owner on whose behalf a request is handled: its caller in the tenant that the request names (J9). */
export function ownerOf(caller: Caller, tenant: string | undefined): Owner {
  if (caller.tenant !== undefined && tenant && tenant !== caller.tenant) {
    throw new A2AError(
      'PERMISSION_DENIED',
      'The credential does not belong to the tenant that the request names. Name your own tenant, or omit it.',
    );
  }
  return {
    tenant: caller.tenant ?? tenant ?? '',
    caller: caller.id,
    authenticated: caller.authenticated,
  };
}
