import { describe, expect, test } from 'vitest';
import type { HostEvent, HostTurn } from '../host/host.ts';
import { answer, assistantMessage, finalReply, toolCall } from '../testing/scripted-host.ts';
import { ALICE, requestContext, startScriptedAccount, ANONYMOUS } from '../testing/start-scripted-account.ts';

const BEGUN: HostEvent = { kind: 'run-started' };
const PARTIAL = assistantMessage('Half an');
const BLOCK: HostEvent = { kind: 'reply', reply: 'block', text: 'Half an', media: [], isError: false };
const ERROR: HostEvent = { kind: 'reply', reply: 'final', text: 'Timed out.', media: [], isError: true };
const LATER = { configuration: { returnImmediately: true } };

function telling(events: readonly HostEvent[]) {
  return (turn: HostTurn): void => {
    for (const event of events) turn.onEvent(event);
  };
}

describe('a run that the host abandons', () => {
  test.each([
    ['before the agent has started', []],
    ['before the agent has written anything', [BEGUN]],
    ['in the middle of a text', [BEGUN, ...PARTIAL]],
    ['after a part of the answer', [BEGUN, ...PARTIAL, BLOCK]],
    ['with an error', [BEGUN, ...PARTIAL, ERROR]],
  ])('%s, fails as interrupted', async (_, events) => {
    const { stream } = await startScriptedAccount(telling(events));
    const last = (await stream('go', { owner: ALICE })).at(-1);
    expect(last).toMatchObject({
      statusUpdate: {
        status: {
          state: 'TASK_STATE_FAILED',
          message: { parts: [{ text: expect.stringContaining('Interrupted: the gateway ended the run') }] },
        },
        metadata: { reason: 'interrupted' },
      },
    });
  });

  test('during a tool call, fails and says that the result of the tool is unknown', async () => {
    const [started] = toolCall('exec', 'call-1');
    const { sendForTask } = await startScriptedAccount(telling([BEGUN, started as HostEvent]));
    expect(await sendForTask('go')).toMatchObject({
      status: {
        state: 'TASK_STATE_FAILED',
        message: { parts: [{ text: expect.stringContaining('exec (result unknown)') }] },
      },
      artifacts: [
        {
          artifactId: 'tool-progress-call-1',
          parts: [{ data: { tool: 'exec', callId: 'call-1', phase: 'result', status: 'interrupted' } }],
        },
      ],
    });
  });

  test('after a notice, fails regardless of the output of the agent', async () => {
    const { sendForTask } = await startScriptedAccount((turn) => {
      answer(turn, 'Hello');
      return { kind: 'interrupted' };
    });
    expect((await sendForTask('go', { request: {} })).status.state).toBe('TASK_STATE_FAILED');
  });

  test('keeps its error message', async () => {
    const { sendForTask } = await startScriptedAccount(telling([BEGUN, ERROR]));
    const { status } = await sendForTask('go');
    expect(status.message?.parts[0]?.text).toMatch(/^Timed out\.\n\nInterrupted/);
  });

  test('is left for the next start if the gateway stops and the turn can run again', async () => {
    const first = await startScriptedAccount(telling([BEGUN, ...PARTIAL]));
    const { id } = await first.sendForTask('go', { owner: ANONYMOUS, request: LATER });
    const task = () => first.operations.getTask({ id }, requestContext({ owner: ANONYMOUS }));
    await expect.poll(task).toMatchObject({ artifacts: [{ parts: [{ text: 'Half an' }] }] });
    await first.runtime.stop({ graceMilliseconds: 0 });
    const second = await startScriptedAccount((turn) => answer(turn, 'All of it'), { store: first.store });
    await expect
      .poll(() => second.operations.getTask({ id }, requestContext({ owner: ANONYMOUS })))
      .toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ parts: [{ text: 'All of it' }] }],
      });
  });

  test('fails a turn without tools if the gateway does not stop', async () => {
    const { sendForTask } = await startScriptedAccount(telling([BEGUN]), { stopMilliseconds: 20 });
    expect((await sendForTask('go', { owner: ANONYMOUS })).status.state).toBe('TASK_STATE_FAILED');
  });
});

test('a run without an outcome that ends with an answer is completed', async () => {
  const { send } = await startScriptedAccount(telling([BEGUN, ...PARTIAL, finalReply('A whole answer')]));
  expect(await send('go')).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'A whole answer' }] });
});

test('a message that the host defers is retried', async () => {
  let attempts = 0;
  const { send } = await startScriptedAccount((turn) => {
    attempts += 1;
    if (attempts === 1) return { kind: 'rejected', reason: 'the session is busy', later: true };
    answer(turn, 'Hello');
    return undefined;
  });
  expect(await send('go')).toMatchObject({ status: { message: { parts: [{ text: 'Hello' }] } } });
  expect(attempts).toBe(2);
});
