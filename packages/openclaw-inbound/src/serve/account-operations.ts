import type { OperationName } from '@holdword/protocol';
import type { Operations } from '@holdword/runtime';
import type { AccountConfig } from '../config/account-config.ts';
import { guardAnonymous } from './guard-anonymous.ts';
import { preserveLegacyBehavior } from './preserve-legacy-behavior.ts';
import { limitBlocking } from './limit-blocking.ts';
import { rejectFiles } from './reject-files.ts';

const PUSH_OPERATIONS: readonly OperationName[] = [
  'createTaskPushNotificationConfig',
  'getTaskPushNotificationConfig',
  'listTaskPushNotificationConfigs',
  'deleteTaskPushNotificationConfig',
];

/** The operations of an account, adapted to its configuration. */
export function accountOperations(
  operations: Operations,
  { features, replyTimeoutMilliseconds }: Pick<AccountConfig, 'features' | 'replyTimeoutMilliseconds'>,
): Operations {
  const guarded = guardAnonymous(preserveLegacyBehavior(operations));
  const checked = features.files ? guarded : rejectFiles(guarded);
  return replyTimeoutMilliseconds === undefined ? checked : limitBlocking(checked, replyTimeoutMilliseconds);
}

/** The operations that an account does not offer. */
export function disabledOperations({
  features,
}: Pick<AccountConfig, 'features'>): ReadonlySet<OperationName> {
  return new Set(features.push ? [] : PUSH_OPERATIONS);
}
