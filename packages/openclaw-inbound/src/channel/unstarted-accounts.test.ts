import { expect, test } from 'vitest';
import { readAccounts, type AccountEntry } from '../config/read-accounts.ts';
import { canStart, logUnstarted } from './unstarted-accounts.ts';

function entryOf(account: object): AccountEntry {
  return readAccounts({ accounts: { desk: account } })[0] as AccountEntry;
}

test('an account that does not start is logged once for each reason, in a gateway only', () => {
  const logged: string[] = [];
  const logger = { error: (line: string) => void logged.push(line) };
  const unready = entryOf({});
  const ready = entryOf({ publicBaseUrl: 'https://agents.example' });
  const relative = entryOf({
    publicBaseUrl: 'https://agents.example',
    taskStore: { kind: 'sqlite', path: 'tasks' },
  });
  expect(canStart(unready)).toBe(false);
  expect(logged).toEqual([]);
  logUnstarted(logger, [unready]);
  expect([unready, unready, relative, relative, ready, unready].map(canStart)).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
  canStart({ ...relative, enabled: false });
  expect(logged).toEqual([
    expect.stringMatching(/^Account "desk" does not start: public-base-url-missing: /),
    expect.stringMatching(/^Account "desk" does not start: config-invalid: .*taskStore\.path/),
    expect.stringMatching(/^Account "desk" does not start: public-base-url-missing: /),
  ]);
});
