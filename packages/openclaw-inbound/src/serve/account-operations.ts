import type { OperationName } from '@holdword/protocol';
import type { Operations } from '@holdword/runtime';
import type { AccountConfig } from '../config/account-config.ts';
import { guardAnonymous } from './guard-anonymous.ts';
import { keepLegacyPromises } from './keep-legacy-promises.ts';
import { limitWaiting } from './limit-waiting.ts';
import { refuseFiles } from './refuse-files.ts';

const PUSH_OPERATIONS: readonly OperationName[] = [
  'createTaskPushNotificationConfig',
  'getTaskPushNotificationConfig',
  'listTaskPushNotificationConfigs',
  'deleteTaskPushNotificationConfig',
];

/** The operations of an account with what its configuration adds to them and takes away. */
export function accountOperations(
  operations: Operations,
  { features, replyTimeoutMilliseconds }: Pick<AccountConfig, 'features' | 'replyTimeoutMilliseconds'>,
): Operations {
  const guarded = guardAnonymous(keepLegacyPromises(operations));
  const checked = features.files ? guarded : refuseFiles(guarded);
  return replyTimeoutMilliseconds === undefined ? checked : limitWaiting(checked, replyTimeoutMilliseconds);
}

/** The operations that an account does not have. */
export function disabledOperations({
  features,
}: Pick<AccountConfig, 'features'>): ReadonlySet<OperationName> {
  return new Set(features.push ? [] : PUSH_OPERATIONS);
}
