import { expect, test } from 'vitest';
import { WIRES } from '../client/start-card-server.ts';
import { startSdkAgent } from '../client/start-sdk-agent.ts';
import { call, openRemoteAgent, send } from './call-remote-agent.ts';

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
