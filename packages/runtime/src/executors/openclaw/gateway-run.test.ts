import { expect, test } from 'vitest';
import { RunEvents } from './gateway-run.ts';

function delta(text: string, runId = 'run'): { name: string; payload: unknown } {
  const message = { role: 'assistant', content: [{ type: 'text', text }] };
  return { name: 'chat', payload: { runId, state: 'delta', deltaText: '?', message } };
}

function tool(data: object): { name: string; payload: unknown } {
  return { name: 'agent', payload: { runId: 'run', stream: 'tool', data } };
}

test('passes on what is new in the text', () => {
  const events = new RunEvents('run');
  expect(events.read(delta('Once'))).toEqual([{ kind: 'text', text: 'Once' }]);
  expect(events.read(delta('Once'))).toEqual([]);
  expect(events.read(delta('Once upon'))).toEqual([{ kind: 'text', text: ' upon' }]);
  expect(events.streamed).toBe('Once upon');
});

test('passes on nothing that is not a continuation', () => {
  const events = new RunEvents('run');
  events.read(delta('Let me look.'));
  expect(events.read(delta('There is one file.'))).toEqual([]);
  expect(events.streamed).toBe('Let me look.');
});

test('ignores other runs and other events', () => {
  const events = new RunEvents('run');
  expect(events.read(delta('Once', 'another'))).toEqual([]);
  expect(events.read({ name: 'tick', payload: {} })).toEqual([]);
  expect(events.read({ name: 'chat', payload: { runId: 'run', state: 'final' } })).toEqual([]);
});

test('reports the start and end of a tool, but not its arguments', () => {
  const events = new RunEvents('run');
  const about = { name: 'exec', toolCallId: 'c1' };
  expect(events.read(tool({ ...about, phase: 'start', args: { command: 'secret' } }))).toEqual([
    {
      kind: 'status',
      text: 'Using tool exec.',
      metadata: { tool: { name: 'exec', callId: 'c1', phase: 'start' } },
    },
  ]);
  expect(events.read(tool({ ...about, phase: 'update' }))).toEqual([]);
  expect(events.read(tool({ ...about, phase: 'result' }))).toMatchObject([
    { text: 'Tool exec finished.', metadata: { tool: { phase: 'end' } } },
  ]);
  expect(events.read(tool({ ...about, phase: 'result', isError: true }))).toMatchObject([
    { text: 'Tool exec failed.', metadata: { tool: { phase: 'error' } } },
  ]);
});
