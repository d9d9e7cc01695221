import { describe, expect, test } from 'vitest';
import { WIRES } from '../client/start-card-server.ts';
import { startSdkAgent } from '../client/start-sdk-agent.ts';
import { call, openRemoteAgent, send, type CallResult } from './call-remote-agent.ts';

/* The server of the official SDK, in both versions and over every binding. */

test.each(WIRES)('every action works over $binding $version', async (wire) => {
  const { origin, script } = await startSdkAgent({ interfaces: [wire], streaming: true });
  const tool = openRemoteAgent(origin);
  expect((await call(tool, { action: 'list_targets' })).details.summary).toMatchObject({
    targets: [{ target_name: 'SDK agent', peer_card: { preferred_transport: wire.binding } }],
  });

  const answered = await call(tool, send('message hello'));
  expect(answered.details.summary).toMatchObject({ response_kind: 'message', message_text: 'hello' });

  const followed = await call(tool, send('artifact a one; append a , two', { follow_updates: true }));
  expect(followed.details.summary).toMatchObject({
    response_kind: 'task',
    message_text: expect.stringContaining('one') as string,
    continuation: { task: { status: 'completed' } },
  });

  const asked = await call(tool, send('ask Which one?'));
  expect(asked.details.summary).toMatchObject({ question: { kind: 'input-required', text: 'Which one?' } });
  const goOn = { continuation: asked.details.summary?.['continuation'] };
  const done = await call(tool, send('artifact a this one', goOn));
  expect(done.details.summary).toMatchObject({ continuation: { task: { status: 'completed' } } });

  const begun = await call(tool, send('wait gate; artifact a late', { task_requirement: 'required' }));
  const continuation = begun.details.summary?.['continuation'];
  await script.gates.reached('gate');
  const status = await call(tool, { action: 'status', continuation, history_length: 1 });
  expect(status.details).toMatchObject({ ok: true, summary: { response_kind: 'task' } });
  const watched = await call(
    tool,
    { action: 'watch', continuation },
    { onUpdate: () => script.gates.open('gate') },
  );
  expect(watched.details.summary).toMatchObject({
    message_text: expect.stringContaining('late') as string,
    continuation: { task: { status: 'completed', can_watch: false } },
  });

  const endless = await call(tool, send('wait never', { task_requirement: 'required' }));
  await script.gates.reached('never');
  const canceled = await call(tool, {
    action: 'cancel',
    continuation: endless.details.summary?.['continuation'],
  });
  expect(canceled.details.summary).toMatchObject({ continuation: { task: { status: 'canceled' } } });
});

const PEERS = WIRES.flatMap((wire) => [true, false].map((streaming) => ({ ...wire, streaming })));

describe.each(PEERS)('over $binding $version, streaming: $streaming', ({ binding, version, streaming }) => {
  const open = async () => {
    const { origin, script } = await startSdkAgent({ interfaces: [{ binding, version }], streaming });
    return { tool: openRemoteAgent(origin, { defaults: { preferredTransports: [binding] } }), script };
  };

  test('a continuation that is passed back unchanged continues the conversation', async () => {
    const { tool, script } = await open();
    const first = await call(tool, send('artifact a one'));
    const second = await call(tool, send('artifact a two', { continuation: continuationOf(first) }));
    expect(second.details.summary).toMatchObject({ message_text: expect.stringContaining('two') as string });
    // One from before the end of its task, which this tool has not seen.
    const begun = await call(tool, send('wait gate', { task_requirement: 'required' }));
    script.gates.open('gate');
    await call(tool, { action: 'watch', continuation: continuationOf(begun) });
    const other = openRemoteAgent(targetUrlOf(begun), { defaults: { preferredTransports: [binding] } });
    const third = await call(other, send('artifact a three', { continuation: continuationOf(begun) }));
    expect(third.details.summary).toMatchObject({
      message_text: expect.stringContaining('three') as string,
      continuation: { conversation: { context_id: contextOf(begun) } },
    });
  });

  test('chunks are joined in the same way by every action', async () => {
    const { tool } = await open();
    const script = 'artifact a The an; append a swer is; append a  4; append a 2';
    const sent = await call(tool, send(script));
    const continuation = continuationOf(sent);
    const results = [
      sent,
      await call(tool, send(script, { follow_updates: true })),
      await call(tool, { action: 'status', continuation }),
      await call(tool, { action: 'watch', continuation }),
    ];
    for (const { details } of results)
      expect(details.summary).toMatchObject({ message_text: 'The answer is 42\n\ndone' });
  });

  test('an aborted send cancels its task, and one that timed out names it', async () => {
    const { tool, script } = await open();
    const stop = new AbortController();
    const aborted = call(tool, send('wait aborted'), { signal: stop.signal });
    await script.gates.reached('aborted');
    stop.abort();
    expect((await aborted).details.error).toMatchObject({ message: 'request was aborted' });
    await script.gates.abandoned('aborted');

    const late = await call(tool, send('wait late; artifact a done', { timeout_ms: 2_000 }));
    const { continuation } = late.details.error?.details ?? {};
    expect(late.details.error).toMatchObject({ message: 'request timed out' });
    script.gates.open('late');
    const watched = await call(tool, { action: 'watch', continuation });
    expect(watched.details.summary).toMatchObject({ continuation: { task: { status: 'completed' } } });
  });
});

function continuationOf({ details }: CallResult): unknown {
  return details.summary?.['continuation'];
}

function targetUrlOf({ details }: CallResult): string {
  return String(details.summary?.['target_url']);
}

function contextOf({ details }: CallResult): unknown {
  const { continuation } = details.summary as { continuation: { conversation: { context_id: string } } };
  return continuation.conversation.context_id;
}
