import { expect, test } from 'vitest';
import { RunEvents } from './run-events.ts';

function delta(text: string, runId = 'run'): { name: string; payload: unknown } {
  const message = { role: 'assistant', content: [{ type: 'text', text }] };
  return { name: 'chat', payload: { runId, state: 'delta', deltaText: '?', message } };
}

function tool(data: object): { name: string; payload: unknown } {
  return { name: 'agent', payload: { runId: 'run', stream: 'tool', data } };
}

test('gives on what is new in the text', () => {
  const events = new RunEvents('run');
  expect(events.read(delta('Once'))).toEqual([{ kind: 'text', text: 'Once' }]);
  expect(events.read(delta('Once'))).toEqual([]);
  expect(events.read(delta('Once upon'))).toEqual([{ kind: 'text', text: ' upon' }]);
  expect(events.streamed).toBe('Once upon');
});

test('gives on nothing that is not a continuation', () => {
  const events = new RunEvents('run');
  events.read(delta('Let me look.'));
  expect(events.read(delta('There is one file.'))).toEqual([]);
  expect(events.streamed).toBe('Let me look.');
});

test('does not listen to other runs and other events', () => {
  const events = new RunEvents('run');
  expect(events.read(delta('Once', 'another'))).toEqual([]);
  expect(events.read({ name: 'tick', payload: {} })).toEqual([]);
  expect(events.read({ name: 'chat', payload: { runId: 'run', state: 'final' } })).toEqual([]);
});

test('names a tool when it begins and when it ends, and not what it was called with', () => {
  const events = new RunEvents('run');
  const about = { name: 'exec', toolCallId: 'c1' };
  expect(events.read(tool({ ...about, phase: 'start', args: { command: 'secret' } }))).toEqual([
    {
      kind: 'status',
      text: 'Using the tool exec.',
      metadata: { tool: { name: 'exec', callId: 'c1', phase: 'start' } },
    },
  ]);
  expect(events.read(tool({ ...about, phase: 'update' }))).toEqual([]);
  expect(events.read(tool({ ...about, phase: 'result' }))).toMatchObject([
    { text: 'The tool exec has finished.', metadata: { tool: { phase: 'end' } } },
  ]);
  expect(events.read(tool({ ...about, phase: 'result', isError: true }))).toMatchObject([
    { text: 'The tool exec failed.', metadata: { tool: { phase: 'error' } } },
  ]);
});
