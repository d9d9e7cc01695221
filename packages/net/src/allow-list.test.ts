import { expect, test } from 'vitest';
import { isAllowEntry } from './allow-list.ts';

test.each(['10.0.0.0/8', '127.0.0.1', '::1', 'receiver.internal', 'host-1', '1password.example'])(
  '%s is a valid entry',
  (entry) => {
    expect(isAllowEntry(entry)).toBe(true);
  },
);

test.each(['127.0.0.300', '10.0.0.0/33', '10.0.0', 'http://a.example', ''])(
  '"%s" is neither an address nor a host name',
  (entry) => {
    expect(isAllowEntry(entry)).toBe(false);
  },
);
