import { expect, test } from 'vitest';
import { hostEvents } from './host-events.ts';
import type { HostEvent } from './host.ts';

function collect() {
  const seen: HostEvent[] = [];
  return {
    seen,
    ...hostEvents(
      (event) => seen.push(event),
      async () => {},
    ),
  };
}

test('reports tool calls, but no reasoning and plans', () => {
  const { seen, callbacks } = collect();
  const call = { kind: 'tool', name: 'exec', toolCallId: 'call-1', commandBearing: true };
  callbacks.onItemEvent({ kind: 'preamble', phase: 'update' });
  callbacks.onItemEvent({ ...call, phase: 'start', status: 'running' });
  callbacks.onItemEvent({ ...call, phase: 'update', status: 'running' });
  callbacks.onCommandOutput({ name: 'exec', toolCallId: 'call-1', phase: 'delta', output: 'hi' });
  callbacks.onItemEvent({ ...call, phase: 'end', status: 'failed' });
  callbacks.onCommandOutput({ name: 'exec', toolCallId: 'call-1', phase: 'end', status: 'failed' });
  callbacks.onCommandOutput({
    name: 'exec',
    toolCallId: 'call-1',
    phase: 'end',
    status: 'failed',
    output: 'hi\nho',
  });
  callbacks.onItemEvent({ ...call, phase: 'start', name: '' });
  const event = { kind: 'tool', name: 'exec', callId: 'call-1' };
  expect(seen).toEqual([
    { ...event, phase: 'start' },
    { ...event, phase: 'update', output: 'hi' },
    { ...event, phase: 'result', status: 'failed', output: 'hi\nho' },
  ]);
});

const call = (toolCallId: string, more: object = {}) => ({
  kind: 'tool',
  name: 'exec',
  toolCallId,
  status: 'completed',
  phase: 'end',
  ...more,
});

test('reports one result per call, with or without output, before what follows', () => {
  const { seen, callbacks, end } = collect();
  callbacks.onItemEvent(call('silent', { commandBearing: true }));
  callbacks.onItemEvent(call('read', { name: 'read' }));
  callbacks.onItemEvent(call('loud', { commandBearing: true }));
  callbacks.onCommandOutput(call('silent', { status: undefined }));
  callbacks.onCommandOutput(call('loud', { output: 'out' }));
  callbacks.onCommandOutput(call('loud', { output: 'again' }));
  callbacks.onAssistantMessageStart();
  callbacks.onItemEvent(call('last', { commandBearing: true }));
  end();
  const result = { kind: 'tool', phase: 'result', status: 'completed', name: 'exec' };
  expect(seen).toEqual([
    { ...result, name: 'read', callId: 'read' },
    { ...result, callId: 'loud', output: 'out' },
    { ...result, callId: 'silent' },
    { kind: 'assistant-message-started' },
    { ...result, callId: 'last' },
  ]);
});

test('reports replies with their files once, and no reasoning', async () => {
  const { seen, delivery } = collect();
  const path = '/media/dot---1.png';
  const attachments = [{ name: 'dot.png' }];
  await delivery.deliver({ text: 'here', mediaUrls: [path], mediaUrl: path, attachments }, { kind: 'block' });
  await delivery.deliver({ text: 'thinking', isReasoning: true }, { kind: 'final' });
  await delivery.deliver({ text: 'broken', isError: true }, { kind: 'final' });
  expect(seen).toEqual([
    {
      kind: 'reply',
      reply: 'block',
      text: 'here',
      media: [{ reference: path, name: 'dot.png' }],
      isError: false,
    },
    { kind: 'reply', reply: 'final', text: 'broken', media: [], isError: true },
  ]);
});

test('reports the text so far, and the start and the outcome of the run', () => {
  const { seen, callbacks } = collect();
  callbacks.onAgentRunStart();
  callbacks.onAssistantMessageStart();
  callbacks.onPartialReply({ text: 'Hel' });
  callbacks.onPartialReply({});
  callbacks.onAgentRunTerminalOutcome('completed');
  expect(seen).toEqual([
    { kind: 'run-started' },
    { kind: 'assistant-message-started' },
    { kind: 'partial-text', text: 'Hel' },
    { kind: 'outcome', outcome: 'completed' },
  ]);
});
