import { expect, test } from 'vitest';
import { NO_INCIDENT, type IncidentKind } from '../incidents/incident-kinds.ts';
import type { Advice } from './advice-memory.ts';
import { chooseStep } from './advise.ts';

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

test.each<[string, Advice[], string]>([
  ['nothing was tried', [], 'wait'],
  ['one was tried', [advice('wait')], 'probe'],
  ['one did not help', [advice('wait', failed)], 'probe'],
  ['one helped in an earlier session', [advice('halve', { ...earlier, ...helped })], 'halve'],
  ['one failed in an earlier session', [advice('wait', { ...earlier, ...failed })], 'probe'],
  [
    'one that helped earlier was already tried in this session',
    [advice('halve', { ...earlier, ...helped }), advice('halve')],
    'wait',
  ],
  ['the incident returns after a step that helped', [advice('wait'), advice('probe', helped)], 'probe'],
  ['one was tried for another incident', [advice('wait', { kind: 'fire' })], 'wait'],
  ['all were tried', [advice('wait'), advice('probe'), advice('halve')], 'hand_over'],
])('%s', (_, advices, step) => {
  expect(chooseStep(KIND, advices, 'now').id).toBe(step);
});

test('no hand-off is advised if no incident was described', () => {
  const advices = NO_INCIDENT.steps.map(({ id }) => advice(id, { kind: NO_INCIDENT.name }));
  expect(chooseStep(NO_INCIDENT, advices, 'now').id).toBe('carry_on');
});
