import { StoreError } from '@holdword/store';
import { expect, test } from 'vitest';
import { rethrowStoreError } from './rethrow-store-error.ts';

test.each(['unavailable', 'stale-fence'] as const)('%s can be retried', (code) => {
  expect(() => rethrowStoreError(new StoreError(code, 'secret'))).toThrow(
    expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 2 }),
  );
  expect(() => rethrowStoreError(new StoreError(code, 'secret'))).not.toThrow('secret');
});

test('a task that was deleted meanwhile is not found', () => {
  expect(() => rethrowStoreError(new StoreError('unknown-task', 'gone'))).toThrow(
    expect.objectContaining({ code: 'TASK_NOT_FOUND' }),
  );
});

test('other failures stay unchanged', () => {
  const error = new StoreError('closed', 'closed');
  expect(() => rethrowStoreError(error)).toThrow(error);
});
