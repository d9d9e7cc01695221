import { expect, test } from 'vitest';
import { failure, success } from './result-for-programs.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';

const NO_TARGETS = { targets: [] };

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

test('raw within the limit is complete', () => {
  expect(success('send', { summary: NO_TARGETS, raw: { kind: 'message' } }, 100)).toEqual({
    ok: true,
    operation: 'remote_agent',
    action: 'send',
    summary: NO_TARGETS,
    raw: { kind: 'message' },
  });
});

test('the last event is kept when the events before it are cut', () => {
  const events = Array.from({ length: 100 }, (_, index) => ({
    kind: 'status-update',
    index,
    text: 'x'.repeat(100),
  }));
  const finalEvent = { kind: 'status-update', status: { state: 'completed' }, final: true };
  const { raw, raw_cut: cut } = success('send', { summary: NO_TARGETS, raw: { events, finalEvent } }, 2_000);
  expect(raw).toMatchObject({ finalEvent });
  expect(JSON.stringify(raw).length).toBeLessThan(3_000);
  expect(cut).toEqual({ characters: JSON.stringify({ events, finalEvent }).length, limit: 2_000 });
});
