import { expect, test } from 'vitest';
import { isLoopback } from './addresses.ts';

test.each(['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]', '::ffff:127.0.0.1'])(
  '%s is loopback',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'localhost.example.org', '127.0.0.1.example.org', ''])(
  '"%s" is not loopback',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
