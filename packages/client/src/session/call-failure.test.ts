import { ForbiddenUrlError } from '@holdword/net/internal';
import { expect, test } from 'vitest';
import { callFailure } from './call-failure.ts';

test.each([true, false])('an allow list is advised if it helps: %s', (canBeAllowed) => {
  const failure = callFailure(new ForbiddenUrlError('its address is not public', { canBeAllowed }));
  expect(String(failure).includes('option "allow"')).toBe(canBeAllowed);
});
