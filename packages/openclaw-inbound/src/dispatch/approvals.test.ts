import type { Task } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import type { ApprovalSettlement, HostApproval } from '../host/approvals.ts';
import type { HostTurn } from '../host/host.ts';
import { answer, assistantMessage, type ScriptedHost, type TurnScript } from '../testing/scripted-host.ts';
import {
  requestContext,
  startScriptedAccount,
  type ScriptedAccount,
} from '../testing/start-scripted-account.ts';

const APPROVAL: HostApproval = {
  approvalId: 'approval-1',
  approvalKind: 'exec',
  sessionKey: 'session',
  decisions: ['allow-once', 'deny'],
  expiresAt: '2026-11-16T12:00:00.000Z',
  tool: 'exec',
  callId: 'call-1',
  command: 'rm -r build',
};

const LATER = { configuration: { returnImmediately: true } };

/** An agent whose tool call blocks until a decision. */
function asking(): { script: TurnScript; connect: (host: ScriptedHost) => void } {
  const decided = Promise.withResolvers<string>();
  const script = async (turn: HostTurn): Promise<void> => {
    if (turn.text !== 'clean up') return answer(turn, `You said: ${turn.text}`);
    for (const event of assistantMessage('I will remove it.')) turn.onEvent(event);
    turn.onEvent({ kind: 'tool', phase: 'start', name: 'exec', callId: 'call-1' });
    turn.onEvent({ kind: 'approval', approval: APPROVAL });
    const aborted = new Promise<string>((resolve) => {
      turn.signal.addEventListener('abort', () => resolve('aborted'));
    });
    const decision = await Promise.race([decided.promise, aborted]);
    if (decision === 'aborted') return;
    turn.onEvent({ kind: 'tool', phase: 'result', name: 'exec', callId: 'call-1', status: 'completed' });
    answer(turn, `The decision was ${decision}`);
  };
  const connect = (host: ScriptedHost): void => {
    host.onDecision = ({ decision }) => {
      decided.resolve(decision);
      return true;
    };
  };
  return { script, connect };
}

async function start(): Promise<ScriptedAccount> {
  const { script, connect } = asking();
  const account = await startScriptedAccount(script);
  connect(account.host);
  return account;
}

function inTask({ id, contextId }: Task) {
  return { message: { taskId: id, contextId } };
}

test('an approval request is sent as text and as data, and the task waits', async () => {
  const { sendForTask } = await start();
  const task = await sendForTask('clean up');
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(task.status.message?.parts).toEqual([
    { text: 'May the agent run this? rm -r build\nAnswer with one of: allow-once, deny.' },
    {
      data: {
        approval: {
          approvalId: 'approval-1',
          decisions: ['allow-once', 'deny'],
          expiresAt: '2026-11-16T12:00:00.000Z',
          tool: 'exec',
          callId: 'call-1',
          command: 'rm -r build',
        },
      },
    },
  ]);
  expect(task.artifacts?.map(({ artifactId }) => artifactId)).toEqual([
    'assistant-output-0001',
    'tool-progress-call-1',
  ]);
});

describe('the answer continues the same run', () => {
  test.each([
    ['as data', '', { parts: [{ data: { decision: 'allow-once' } }] }, 'allow-once'],
    ['as text', 'Yes.', {}, 'allow-once'],
    ['with the name of the decision', 'DENY', {}, 'deny'],
    ['with a no', 'no', {}, 'deny'],
  ])('%s', async (_, text, message, decision) => {
    const { sendForTask, host } = await start();
    const task = await sendForTask('clean up');
    const { message: ids } = inTask(task);
    const done = await sendForTask(text, { message: { ...message, ...ids } });
    expect(done).toMatchObject({
      id: task.id,
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: `The decision was ${decision}` }] },
      },
      artifacts: [
        { artifactId: 'assistant-output-0001' },
        { artifactId: 'tool-progress-call-1', parts: [{ data: { status: 'completed' } }] },
        { artifactId: 'assistant-output-0002' },
      ],
    });
    expect(host.turns).toHaveLength(1);
    expect(host.decisions).toMatchObject([
      { approval: { approvalId: 'approval-1' }, decision, senderId: host.turns[0]?.session.senderId },
    ]);
  });
});

test('an answer can be streamed to the end of the task', async () => {
  const { sendForTask, stream } = await start();
  const task = await sendForTask('clean up');
  const events = await stream('yes', inTask(task));
  expect(events[0]).toMatchObject({ task: { id: task.id, status: { state: 'TASK_STATE_WORKING' } } });
  expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
});

test('an unclear answer is asked again', async () => {
  const { sendForTask, host } = await start();
  const task = await sendForTask('clean up');
  const again = await sendForTask('maybe', inTask(task));
  expect(again.status).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { parts: [{ text: expect.stringContaining('not clear') }, {}] },
  });
  expect(host.decisions).toEqual([]);
  expect((await sendForTask('yes', inTask(task))).status.state).toBe('TASK_STATE_COMPLETED');
});

test('a decision that could not be delivered is asked again', async () => {
  const { sendForTask, host } = await start();
  const task = await sendForTask('clean up');
  const decide = host.onDecision;
  host.onDecision = () => {
    throw new Error('The gateway is busy.');
  };
  const again = await sendForTask('yes', inTask(task));
  expect(again.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(JSON.stringify(again.status)).not.toContain('gateway is busy');
  host.onDecision = decide;
  expect((await sendForTask('yes', inTask(task))).status.state).toBe('TASK_STATE_COMPLETED');
});

test('a decision made elsewhere is reported when the caller answers', async () => {
  const { sendForTask, host } = await start();
  const task = await sendForTask('clean up');
  host.onDecision({ approval: APPROVAL, decision: 'allow-once', senderId: 'operator' });
  host.onDecision = () => false;
  const done = await sendForTask('no', inTask(task));
  expect(done.status).toMatchObject({ message: { parts: [{ text: 'The decision was allow-once' }] } });
});

test('another message of the context is rejected until the approval is decided', async () => {
  const { sendForTask, host } = await start();
  const { id, contextId } = await sendForTask('clean up');
  const other = await sendForTask('and the rest', { message: { contextId } });
  expect(other.status).toMatchObject({
    state: 'TASK_STATE_REJECTED',
    message: {
      parts: [{ text: expect.stringContaining(`Task ${id} of this context is waiting for a tool approval`) }],
    },
  });
  expect(host.turns).toHaveLength(1);
  await sendForTask('no', { message: { taskId: id, contextId } });
  await sendForTask('and the rest', { message: { contextId }, request: LATER });
  await expect.poll(() => host.turns).toHaveLength(2);
});

/** An agent that continues after the decision and writes more when released. */
async function settled(goesOn: Promise<void> = Promise.resolve(), how: ApprovalSettlement = 'decided') {
  const account = await startScriptedAccount(async (turn) => {
    if (turn.text !== 'clean up') return answer(turn, `You said: ${turn.text}`);
    turn.onEvent({ kind: 'tool', phase: 'start', name: 'exec', callId: 'call-1' });
    turn.onEvent({ kind: 'approval', approval: APPROVAL });
    await new Promise(setImmediate);
    turn.onEvent({ kind: 'approval-settled', approvalId: APPROVAL.approvalId, how });
    await goesOn;
    return answer(turn, 'Nobody allowed it.');
  });
  const task = await account.sendForTask('clean up');
  await new Promise(setImmediate);
  return { ...account, task };
}

describe('an approval that is decided without its caller', () => {
  test('does not block other messages of its context once the run has ended', async () => {
    const { task, send } = await settled();
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const other = await send('and the rest', { message: { contextId: task.contextId } });
    expect(other).toMatchObject({ parts: [{ text: 'You said: and the rest' }] });
  });

  test('queues them while the run continues', async () => {
    const goesOn = Promise.withResolvers<void>();
    const { task, host, operations, sendForTask } = await settled(goesOn.promise);
    const { id } = await sendForTask('and the rest', {
      message: { contextId: task.contextId },
      request: LATER,
    });
    const other = () => operations.getTask({ id }, requestContext());
    await expect
      .poll(async () => (await other()).status.message?.parts[0]?.text)
      .toContain(`task ${task.id} of this context`);
    expect(host.turns).toHaveLength(1);
    goesOn.resolve();
    await expect.poll(async () => (await other()).status.state).toBe('TASK_STATE_COMPLETED');
    expect(host.turns).toHaveLength(2);
  });

  test('returns the outcome if the answer is a decision', async () => {
    const { task, sendForTask, host } = await settled();
    expect(await sendForTask('allow-once', inTask(task))).toMatchObject({
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: 'Nobody allowed it.' }] },
      },
    });
    expect(host.decisions).toEqual([]);
    expect(host.turns).toHaveLength(1);
  });

  test('is reported as decided', async () => {
    const { task, stream } = await settled();
    expect(JSON.stringify(await stream('allow-once', inTask(task)))).toContain(
      'The approval was no longer open when your answer arrived: rm -r build',
    );
  });

  test('writes the outcome, then processes a message that is not a decision', async () => {
    const { task, sendForTask, host } = await settled();
    expect(await sendForTask('what happened?', inTask(task))).toMatchObject({
      id: task.id,
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: 'You said: what happened?' }] },
      },
      artifacts: [
        { artifactId: 'tool-progress-call-1' },
        { artifactId: 'assistant-output-0001', parts: [{ text: 'Nobody allowed it.' }] },
        { artifactId: 'assistant-output-0002', parts: [{ text: 'You said: what happened?' }] },
      ],
    });
    expect(host.turns.map(({ text }) => text)).toEqual(['clean up', 'what happened?']);
    expect(host.turns[0]?.session).toEqual(host.turns[1]?.session);
  });

  test('says that a message was not read if the agent has another question', async () => {
    const second = { ...APPROVAL, approvalId: 'approval-2', command: 'rm -r dist' };
    const { sendForTask, host } = await startScriptedAccount(async (turn) => {
      turn.onEvent({ kind: 'approval', approval: APPROVAL });
      await new Promise(setImmediate);
      turn.onEvent({ kind: 'approval-settled', approvalId: APPROVAL.approvalId, how: 'decided' });
      turn.onEvent({ kind: 'approval', approval: second });
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    });
    const task = await sendForTask('clean up');
    await new Promise(setImmediate);
    const again = await sendForTask('what happened?', inTask(task));
    expect(again.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: expect.stringMatching(/has not read your message[\s\S]*rm -r dist/) }, {}] },
    });
    expect(host.turns).toHaveLength(1);
  });
});

describe('an approval that expired', () => {
  test('is reported, and the agent is told if the caller allows it afterwards', async () => {
    const { task, stream, host } = await settled(undefined, 'expired');
    const events = JSON.stringify(await stream('allow-once', inTask(task)));
    expect(events).toContain(
      'The approval has lapsed because it expired before the answer arrived: rm -r build',
    );
    expect(events).toContain('Nobody allowed it.');
    expect(host.turns[1]?.text).toMatch(
      /rm -r build\n.*expired.* It was not run\.\nThe caller has now decided: allow-once/,
    );
    expect(host.decisions).toEqual([]);
  });

  test('returns the outcome if the caller denies it', async () => {
    const { task, sendForTask, host } = await settled(undefined, 'expired');
    expect((await sendForTask('deny', inTask(task))).status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: 'Nobody allowed it.' }] },
    });
    expect(host.turns).toHaveLength(1);
  });
});

test('canceling a waiting task aborts the run, and its tool never runs', async () => {
  const { sendForTask, operations, host } = await start();
  const { id } = await sendForTask('clean up');
  await operations.cancelTask({ id }, requestContext());
  expect(host.turns[0]?.signal.aborted).toBe(true);
});

/** The account after the restart, with the task that still asks. */
async function restart() {
  const first = await start();
  const task = await first.sendForTask('clean up');
  await first.runtime.stop({ graceMilliseconds: 0 });
  expect(first.host.turns[0]?.signal.aborted).toBe(true);
  const { script, connect } = asking();
  // The model calls the tool again once it is told that the first call was not made.
  const account = await startScriptedAccount(
    (turn) => script(turn.text.includes('decided: allow-once') ? { ...turn, text: 'clean up' } : turn),
    { store: first.store },
  );
  connect(account.host);
  return { ...account, task };
}

describe('an approval that lapsed with a restart', () => {
  test('is explained to the agent, which can ask for a new one', async () => {
    const { task, sendForTask, host } = await restart();
    const again = await sendForTask('yes', inTask(task));
    expect(host.turns[0]?.text).toBe(
      [
        '[Tool approval] You asked the caller for approval to run this: rm -r build',
        'The approval has lapsed because the gateway restarted before the answer arrived. It was not run, unless an operator allowed it before the restart.',
        'The caller has now decided: allow-once.',
        'If it is still needed, call the tool again: the caller is then asked for a new approval.',
        'The message of the caller:',
        'yes',
      ].join('\n'),
    );
    expect(again).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    expect(await sendForTask('yes', inTask(task))).toMatchObject({
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: 'The decision was allow-once' }] },
      },
    });
    expect(host.turns).toHaveLength(1);
  });

  test('is reported to the caller, and its call is closed', async () => {
    const { task, stream, operations, host } = await restart();
    const events = await stream('no', inTask(task));
    const notice = expect.stringMatching(
      /lapsed because the gateway restarted.*: rm -r build\nYour answer did not/,
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        statusUpdate: expect.objectContaining({
          status: expect.objectContaining({
            message: expect.objectContaining({ parts: [{ text: notice }] }),
          }),
        }),
      }),
    );
    expect(host.turns[0]?.text).toContain('The caller has now decided: deny.\nDo not run it.');
    expect(await operations.getTask({ id: task.id }, requestContext())).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [
        { artifactId: 'assistant-output-0001' },
        {
          artifactId: 'tool-progress-call-1',
          metadata: { turn: 1 },
          parts: [
            {
              data: {
                tool: 'exec',
                callId: 'call-1',
                phase: 'result',
                status: 'interrupted',
                reason: notice,
              },
            },
          ],
        },
        { artifactId: 'assistant-output-0002' },
      ],
    });
  });

  test('is explained with a message that is not a decision', async () => {
    const { task, sendForTask, host } = await restart();
    await sendForTask('what happened?', inTask(task));
    expect(host.turns[0]?.text).toMatch(
      /rm -r build\nThe approval has lapsed[^]*of the caller:\nwhat happened\?$/,
    );
    expect(host.turns[0]?.text).not.toContain('decided:');
  });
});
