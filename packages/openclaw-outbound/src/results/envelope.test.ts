import { expect, test } from 'vitest';
import { failure } from './envelope.ts';
import { RemoteAgentError } from './remote-agent-error.ts';

test('an unexpected error is not shown', () => {
  const shown = failure('send', new TypeError('cannot read /home/me/secret.key'));
  expect(shown).toMatchObject({
    ok: false,
    operation: 'remote_agent',
    action: 'send',
    error: { code: 'INTERNAL_ERROR' },
  });
  expect(JSON.stringify(shown)).not.toMatch(/secret|TypeError|stack/);
});

test('an error of the tool is shown unchanged', () => {
  const error = new RemoteAgentError('UNKNOWN_TASK_HANDLE', 'unknown', { taskHandle: 'rah_1' }).with({
    more: 1,
  });
  expect(failure('status', error).error).toEqual({
    code: 'UNKNOWN_TASK_HANDLE',
    message: 'unknown',
    details: { taskHandle: 'rah_1', more: 1 },
  });
});
