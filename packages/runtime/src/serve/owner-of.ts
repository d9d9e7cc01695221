import { A2AError } from '@holdword/protocol';
import type { Owner } from '../executors/executor.ts';
import type { Caller } from './auth/authentication.ts';

/** The owner a call acts for: its caller within the tenant that the request names (J9). */
export function ownerOf(caller: Caller, tenant: string | undefined): Owner {
  if (caller.tenant !== undefined && tenant && tenant !== caller.tenant) {
    throw new A2AError(
      'PERMISSION_DENIED',
      'The request names a tenant that the credential does not belong to. Name your own tenant, or none.',
    );
  }
  return {
    tenant: caller.tenant ?? tenant ?? '',
    caller: caller.id,
    authenticated: caller.authenticated,
  };
}
