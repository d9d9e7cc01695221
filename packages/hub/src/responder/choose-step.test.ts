import { expect, test } from 'vitest';
import type { IncidentKind } from '../incidents/incident-kind.ts';
import type { Advice } from '../incidents/advice-memory.ts';
import { chooseStep } from './choose-step.ts';

const KIND: IncidentKind = {
  name: 'storm',
  title: 'a storm',
  steps: ['wait', 'probe', 'halve'].map((id) => ({ id, text: id, reason: '' })),
};

function advice(step: string, more: Partial<Advice> = {}): Advice {
  return { kind: 'storm', step, sessionId: 'now', taskId: step, at: 0, errors: null, ...more };
}
const helped = { outcome: { result: 'helped', taskId: 't' } } as const;
const failed = { outcome: { result: 'did_not_help', taskId: 't' } } as const;
const earlier = { sessionId: 'earlier' };

const done = { outcome: { result: 'done', taskId: 't' } } as const;

test.each<[string, Advice[], string]>([
  ['nothing was tried', [], 'wait'],
  ['one was given and nothing reported', [advice('wait')], 'wait'],
  ['one was done', [advice('wait', done)], 'probe'],
  ['one did not help', [advice('wait', failed)], 'probe'],
  ['one helped in an earlier session', [advice('halve', { ...earlier, ...helped })], 'halve'],
  ['one failed in an earlier session', [advice('wait', { ...earlier, ...failed })], 'probe'],
  [
    'one that helped earlier failed in this session',
    [advice('halve', { ...earlier, ...helped }), advice('halve', failed)],
    'wait',
  ],
  [
    'the incident returns after a step that helped',
    [advice('wait', failed), advice('probe', helped)],
    'probe',
  ],
  ['one was tried for another incident', [advice('wait', { kind: 'fire', ...failed })], 'wait'],
  ['all were given', [advice('wait'), advice('probe'), advice('halve')], 'wait'],
  ['all failed', [advice('wait', failed), advice('probe', failed), advice('halve', failed)], 'ask_for_help'],
])('%s', (_, advices, step) => {
  expect(chooseStep(KIND, advices, { sessionId: 'now', canHandOver: false }).id).toBe(step);
});

test('a task is handed over only if there is one to offer', () => {
  const advices = ['wait', 'probe', 'halve'].map((step) => advice(step, failed));
  expect(chooseStep(KIND, advices, { sessionId: 'now', canHandOver: true }).id).toBe('hand_over');
});
