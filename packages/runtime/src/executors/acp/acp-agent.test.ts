import type { Task } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { outline } from '../../engine/testing/read-journal.ts';
import {
  requestContext,
  readStream,
  send,
  sendForTask,
  taskIn,
} from '../../operations/testing/start-test-operations.ts';
import { livingProcesses, recordedMarks } from '../child-process/testing/living-processes.ts';
import { IMMEDIATELY } from '../cli-agent/testing/conversation.ts';
import { fakeCommand, startAcpAgent, type TestAcpAgent } from './testing/start-acp-agent.ts';

function said({ status }: Task): string | undefined {
  return status.message?.parts[0]?.text;
}

async function begin({ operations }: TestAcpAgent, text: string): Promise<string> {
  const { id } = taskIn(await operations.sendMessage(send(text, {}, IMMEDIATELY), requestContext()));
  await expect
    .poll(async () => (await operations.getTask({ id }, requestContext())).artifacts?.length)
    .toBe(1);
  return id;
}

describe('a turn of an agent that speaks ACP', () => {
  test('streams the output of the agent without its thoughts', async () => {
    const { operations } = await startAcpAgent();
    const { events } = await readStream(
      operations.sendStreamingMessage(send('say one two'), requestContext()),
    );
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'artifact response one ',
      'artifact+ response two ',
      'artifact+ response ',
      'completed one two ',
    ]);
  });

  test('reports which tools the agent uses, and which failed', async () => {
    const { operations } = await startAcpAgent();
    const { events } = await readStream(operations.sendStreamingMessage(send('tool'), requestContext()));
    expect(outline(events).filter((line) => line.startsWith('working '))).toEqual([
      'working Read notes',
      'working Failed: Read notes',
    ]);
    expect(outline(events).at(-1)).toBe('completed Looking.\n\nNothing there.');
  });

  test('transfers files in both directions', async () => {
    const { operations } = await startAcpAgent();
    const picture = await sendForTask(operations, 'picture');
    expect(picture.artifacts?.[0]?.parts).toEqual([{ raw: 'iVBORw==', mediaType: 'image/png' }]);
    const parts = [{ text: 'remember' }, { raw: 'aGk=', filename: 'hi.bin', mediaType: 'text/plain' }];
    expect(said(await sendForTask(operations, '', { parts }))).toBe('remember <resource_link>');
  });

  test('each context has its own session in one process', async () => {
    const { operations, processFolder } = await startAcpAgent();
    const first = await sendForTask(operations, 'say a');
    await sendForTask(operations, 'say b');
    expect(said(await sendForTask(operations, 'remember', { contextId: first.contextId }))).toBe(
      'say a|remember',
    );
    expect(await recordedMarks(processFolder)).toHaveLength(1);
  });

  test('fails with the reason if the agent does not finish', async () => {
    const { operations } = await startAcpAgent();
    const reasons = {
      max_tokens: 'it reached its token limit',
      max_turn_requests: 'it reached its limit of model requests',
      refusal: 'refused the request',
      cancelled: 'stopped before it had finished',
    };
    for (const [stopReason, text] of Object.entries(reasons)) {
      const task = await sendForTask(operations, `stop ${stopReason}`);
      const message = { metadata: { stopReason } };
      expect(task.status).toMatchObject({ state: 'TASK_STATE_FAILED', message });
      expect(said(task)).toContain(text);
    }
  });

  test('fails with the message of an error that the agent returns', async () => {
    const { operations } = await startAcpAgent();
    expect(said(await sendForTask(operations, 'fly'))).toContain('cannot fly');
    expect(said(await sendForTask(operations, 'login'))).toBe(
      'The agent is not signed in. Its operator has to sign it in (fake login).',
    );
  });

  test('is stopped when it times out or exceeds the output limit', async () => {
    const slow = await startAcpAgent({ timeoutMilliseconds: 1_000 });
    expect(said(await sendForTask(slow.operations, 'hang'))).toContain('timed out after 1 s');
    const loud = await startAcpAgent({ maxOutputBytes: 5_000 });
    expect(said(await sendForTask(loud.operations, 'flood'))).toContain(
      'exceeded its output limit of 5000 bytes',
    );
  });
});

describe('permission', () => {
  test('is denied by default, and the caller is told', async () => {
    const { operations } = await startAcpAgent();
    const { events } = await readStream(operations.sendStreamingMessage(send('delete'), requestContext()));
    expect(outline(events)).toContain(
      'working Permission denied: Delete notes.txt (delete). The operator of this agent can allow it.',
    );
    expect(outline(events).at(-1)).toBe('completed kept');
  });

  test('is granted for allowed kinds', async () => {
    const { operations } = await startAcpAgent({ permissions: { allow: ['delete'], otherwise: 'refuse' } });
    expect(said(await sendForTask(operations, 'delete'))).toBe('deleted');
  });

  test('is requested from the caller once for each action', async () => {
    const { operations } = await startAcpAgent({ permissions: { otherwise: 'ask' } });
    const asked = await sendForTask(operations, 'delete');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(asked)).toContain('The agent asks for permission: Delete notes.txt (delete).');
    const allowed = await sendForTask(operations, 'yes', { taskId: asked.id });
    expect(said(allowed)).toBe('deleted');
    const again = await sendForTask(operations, 'delete', { contextId: asked.contextId });
    expect(again.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const otherwise = await sendForTask(operations, 'say never mind', { taskId: again.id });
    expect(said(otherwise)).toBe('never mind ');
  });
});

describe('the process of the agent', () => {
  test('is kept after a canceled turn has stopped', async () => {
    const started = await startAcpAgent();
    const { operations, processFolder } = started;
    const id = await begin(started, 'hang');
    const marks = await recordedMarks(processFolder);
    expect((await operations.cancelTask({ id }, requestContext())).status.state).toBe('TASK_STATE_CANCELED');
    expect(said(await sendForTask(operations, 'say still here'))).toBe('still here ');
    expect(await recordedMarks(processFolder)).toEqual(marks);
  });

  test('is replaced when it ignores a cancellation, and ends after its other turns', async () => {
    const started = await startAcpAgent();
    const { operations, processFolder } = started;
    const other = await begin(started, 'hang');
    const deaf = await begin(started, 'ignore');
    const marks = await recordedMarks(processFolder);
    await operations.cancelTask({ id: deaf }, requestContext());
    await expect
      .poll(async () => {
        await sendForTask(operations, 'say hello');
        return (await recordedMarks(processFolder)).length;
      })
      .toBe(2);
    expect(await livingProcesses(marks)).not.toEqual([]);
    await operations.cancelTask({ id: other }, requestContext());
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
  });

  test('that dies fails its turn with its stderr, and is restarted with its sessions', async () => {
    const { operations, agentLogged } = await startAcpAgent();
    const { contextId } = await sendForTask(operations, 'say a');
    const dead = await sendForTask(operations, 'die', { contextId });
    expect(dead.status.state).toBe('TASK_STATE_FAILED');
    expect(said(dead)).toBe('The agent exited with code 7: out of memory in [path]');
    expect(agentLogged.join()).toContain('out of memory in /opt/agent');
    expect(said(await sendForTask(operations, 'remember', { contextId }))).toBe('say a|die|remember');
  });

  test('of an agent that cannot load sessions starts a new one, and says so', async () => {
    const { operations } = await startAcpAgent({ command: fakeCommand('forgetful') });
    const { contextId } = await sendForTask(operations, 'say a');
    await sendForTask(operations, 'die', { contextId });
    const { events } = await readStream(
      operations.sendStreamingMessage(send('remember', { contextId }), requestContext()),
    );
    expect(outline(events)).toContain(
      'working The agent no longer knows this conversation and starts a new one.',
    );
    expect(outline(events).at(-1)).toBe('completed remember');
  });

  test.each([
    ['broken', 'The agent exited with code 3: cannot read [path]'],
    ['old', 'The agent speaks ACP version 0, but version 1 is required.'],
  ])('that is %s when it starts fails the turn', async (mode, text) => {
    const { operations } = await startAcpAgent({ command: fakeCommand(mode) });
    expect(said(await sendForTask(operations, 'say hi'))).toContain(text);
  });

  test('that is not found is named', async () => {
    const { operations } = await startAcpAgent({ command: '/opt/no/agent --acp' });
    expect(said(await sendForTask(operations, 'say hi'))).toContain('The program "agent" was not found.');
  });

  test('does not outlive the server', async () => {
    const { agent, operations, processFolder } = await startAcpAgent();
    await sendForTask(operations, 'say hi');
    const marks = await recordedMarks(processFolder);
    await agent.close();
    expect(await livingProcesses(marks)).toEqual([]);
    expect(await recordedMarks(processFolder)).toEqual([]);
  });
});

test('an agent without a command is rejected', async () => {
  await expect(startAcpAgent({ command: ' ' })).rejects.toThrow('No command that speaks ACP');
});
