import { expect, test } from 'vitest';
import { readAccounts } from '../config/read-accounts.ts';
import { describeAccess } from './describe-access.ts';

test('many peers are summarized', () => {
  const peers = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`p${index}`, { keySha256: String(index).repeat(64) }]),
  );
  const [entry] = readAccounts({ accounts: { default: { auth: { required: true, peers } } } });
  if (entry?.config === undefined) throw new Error(entry?.problems.join('\n'));
  expect(describeAccess(entry.config)).toBe(
    'Account "default" requires credentials; these peers can call the agent: p0 (no tools), p1 (no tools), ' +
      'p2 (no tools), p3 (no tools), p4 (no tools) and 2 more.',
  );
});
