import { isDeepStrictEqual } from 'node:util';
import { A2ATools, type V03Message, type V03Event, type V03Task } from '@holdword/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openSession } from './open-session.ts';
import { taskOf } from './results.ts';
import { WIRES } from './start-card-server.ts';
import { startSdkAgent } from './start-sdk-agent.ts';

/** The texts of an artifact, joined. */
function textOf(result: V03Task | V03Message, artifactId: string): string | undefined {
  if (result.kind !== 'task') return undefined;
  const artifact = result.artifacts?.find((each) => each.artifactId === artifactId);
  return artifact?.parts.map((part) => (part.kind === 'text' ? part.text : '?')).join('|');
}

const CASES = WIRES.flatMap((wire) => [true, false].map((streaming) => ({ ...wire, streaming })));

beforeEach(() => {
  // The SDK's server prints a stack trace for every error.
  const printing = vi.spyOn(console, 'error').mockImplementation(() => {});
  return () => printing.mockRestore();
});

describe.each(CASES)("the SDK's server over $binding $version, streaming: $streaming", (wire) => {
  const start = () => startSdkAgent({ interfaces: [wire], streaming: wire.streaming });

  test('a text that is streamed in chunks is one text for a model', async () => {
    const { url } = await start();
    const tools = new A2ATools(openSession(url));
    const task = await tools.sendMessage('agent', 'artifact a w0; append a -w1; append a -w2');
    expect(task).toMatchObject({ artifacts: [{ parts: [{ kind: 'text', text: 'w0-w1-w2' }] }] });
    const found = await tools.searchArtifact('agent', String(task['id']), 'a', 'w1-w2');
    expect(found).toMatchObject({ matches: [expect.anything()] });
  });

  test('a message creates a task that is followed to its end', async () => {
    const { url, script } = await start();
    const session = openSession(url);
    const updates: V03Event[] = [];
    const sending = session.sendMessage(
      'agent',
      'artifact a one; wait gate; append a two; append a three; artifact b other',
      { onUpdate: (update) => void updates.push(update) },
    );
    await script.gates.reached('gate');
    script.gates.open('gate');
    const task = taskOf(await sending);
    expect(task.status).toMatchObject({
      state: 'completed',
      message: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'done' }] },
    });
    expect([textOf(task, 'a'), textOf(task, 'b')]).toEqual(['one|two|three', 'other']);
    expect(updates.length).toBeGreaterThan(0);
    expect(await session.getSavedTask('agent', task.id)).toEqual(task);
    expect(await session.getTask('agent', task.id)).toEqual(task);
  });

  test('a conversation continues, and a question is answered', async () => {
    const { url } = await start();
    const session = openSession(url);
    const asked = taskOf(await session.sendMessage('agent', 'ask which one?'));
    expect(asked.status).toMatchObject({
      state: 'input-required',
      message: { parts: [{ kind: 'text', text: 'which one?' }] },
    });
    const answered = taskOf(
      await session.sendMessage('agent', 'artifact a that', { contextId: asked.contextId, taskId: asked.id }),
    );
    expect(answered).toMatchObject({ id: asked.id, status: { state: 'completed' } });
    expect(textOf(answered, 'a')).toBe('that');
    const next = taskOf(
      await session.sendMessage('agent', 'artifact a more', { contextId: asked.contextId }),
    );
    expect(next.id).not.toBe(asked.id);
    expect(next.contextId).toBe(asked.contextId);
  });

  test('a question that was answered is not asked again while the agent works on the answer', async () => {
    const { url, script } = await startSdkAgent({
      interfaces: [wire],
      streaming: wire.streaming,
      isUndated: true,
    });
    const tools = new A2ATools(openSession(url));
    const asked = await tools.sendMessage('agent', 'ask which one?');
    expect(asked).toMatchObject({ status: { state: 'input-required', message: 'which one?' } });
    const [contextId, taskId] = [String(asked['contextId']), String(asked['id'])];
    const answering = tools.sendMessage('agent', 'wait gate; ask which size?', contextId, taskId);
    await script.gates.reached('gate');
    script.gates.open('gate');
    expect(await answering).toMatchObject({
      status: { state: 'input-required', message: 'which size?' },
    });
    const late = await tools.sendMessage('agent', 'wait last; artifact a blue', contextId, taskId, 1);
    expect(late).toMatchObject({ status: { state: 'input-required', message: 'which size?' } });
    expect(late['_notice']).toContain('Do not answer again. Call getTask');
    const following = tools.getTask('agent', taskId);
    script.gates.open('last');
    expect(await following).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'a' }],
    });
  });

  test('text, data and files arrive unchanged', async () => {
    const { url } = await start();
    const session = openSession(url);
    const parts = [
      { kind: 'text', text: 'mirror' },
      { kind: 'data', data: { deep: [1, { two: null }] } },
      { kind: 'file', file: { bytes: Buffer.from('bytes').toString('base64'), mimeType: 'text/plain' } },
      { kind: 'file', file: { uri: 'https://files.example/a.txt', mimeType: 'text/plain' } },
    ] as const;
    const task = taskOf(await session.sendMessage('agent', parts));
    const mirrored = task.artifacts?.[0]?.parts.map(({ metadata: _metadata, ...part }) => part);
    expect(mirrored).toSatisfy((found: unknown) => isDeepStrictEqual(found, parts));
  });

  test('an agent can answer with a message', async () => {
    const { url } = await start();
    expect(await openSession(url).sendMessage('agent', 'message hello')).toMatchObject({
      kind: 'message',
      role: 'agent',
      parts: [{ kind: 'text', text: 'hello' }],
    });
  });

  test('a timeout returns the task in its current state, and it can be resumed', async () => {
    const { url, script } = await start();
    const session = openSession(url);
    const sent = taskOf(await session.sendMessage('agent', 'artifact a one; wait gate', { timeout: 0.4 }));
    expect(sent.status.state).toBe('working');
    // Long enough for one request on a busy machine.
    const waited = await session.getTask('agent', sent.id, { timeout: 1, pollInterval: 0.05 });
    expect(waited.status.state).toBe('working');
    expect(textOf(waited, 'a')).toBe('one');
    const following = session.getTask('agent', sent.id, { pollInterval: 0.05 });
    script.gates.open('gate');
    expect(await following).toMatchObject({ id: sent.id, status: { state: 'completed' } });
  });

  test('a task can be canceled', async () => {
    const { url, script } = await start();
    const session = openSession(url);
    const sent = taskOf(await session.sendMessage('agent', 'wait gate', { timeout: 1 }));
    await script.gates.reached('gate');
    expect(await session.cancelTask('agent', sent.id)).toMatchObject({ status: { state: 'canceled' } });
    expect(await session.getTask('agent', sent.id)).toMatchObject({ status: { state: 'canceled' } });
  });

  test('errors are reported by code', async () => {
    const { url } = await start();
    const session = openSession(url);
    await expect(session.getTask('agent', 'no-such-task')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    const ended = taskOf(await session.sendMessage('agent', 'fail for a reason'));
    expect(ended.status).toMatchObject({ state: 'failed', message: { parts: [{ text: 'for a reason' }] } });
    await expect(session.sendMessage('agent', 'again', { taskId: ended.id })).rejects.toMatchObject({
      name: 'A2AError',
    });
  });
});
