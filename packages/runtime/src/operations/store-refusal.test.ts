import { StoreError } from '@holdword/store';
import { expect, test } from 'vitest';
import { refuseForStore } from './store-refusal.ts';

test.each(['unavailable', 'stale-fence'] as const)('%s is something to try again', (code) => {
  expect(() => refuseForStore(new StoreError(code, 'secret'))).toThrow(
    expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 2 }),
  );
  expect(() => refuseForStore(new StoreError(code, 'secret'))).not.toThrow('secret');
});

test('other failures stay what they are', () => {
  const error = new StoreError('corrupt', 'damaged');
  expect(() => refuseForStore(error)).toThrow(error);
});
