import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

const FRAMES = [
  { sequence: 1, json: '{"task":1}' },
  { sequence: 2, json: '{"statusUpdate":2}' },
];
const COMPLETED = '{"id":"t","status":{"state":"TASK_STATE_COMPLETED"}}';
const FAILED = COMPLETED.replace('COMPLETED', 'FAILED');

test('a journal that has what was acknowledged contradicts nothing', () => {
  const ledger = new Ledger();
  for (const frame of FRAMES) ledger.event('t', frame);
  ledger.answer(COMPLETED);
  expect(ledger.contradictions('t', FRAMES, COMPLETED)).toEqual([]);
});

test('finds an acknowledged event that is gone, changed or moved', () => {
  const ledger = new Ledger();
  for (const frame of FRAMES) ledger.event('t', frame);
  const contradictions = (frames: typeof FRAMES): string =>
    ledger.contradictions('t', frames, COMPLETED).join();
  expect(contradictions(FRAMES.slice(0, 1))).toContain('lacks 1 acknowledged events; event 2');
  expect(contradictions(FRAMES.toReversed())).toContain('lacks 2 acknowledged events; event 1');
});

test('finds a final answer that does not hold', () => {
  const ledger = new Ledger();
  ledger.answer(COMPLETED);
  expect(ledger.contradictions('t', FRAMES, FAILED)).not.toEqual([]);
});

test('a sealed journal may not grow or change', () => {
  const ledger = new Ledger();
  ledger.seal('t', FRAMES, 'TASK_STATE_COMPLETED');
  expect(ledger.contradictions('t', FRAMES, COMPLETED)).toEqual([]);
  expect(ledger.contradictions('t', [...FRAMES, { sequence: 3, json: '{}' }], COMPLETED)).toHaveLength(1);
});

test('notices at once when the server contradicts itself', () => {
  const ledger = new Ledger();
  ledger.event('t', { sequence: 1, json: '{}' });
  ledger.event('t', { sequence: 1, json: '[]' });
  ledger.key('k', { taskId: 't', request: {} });
  ledger.key('k', { taskId: 'u', request: {} });
  ledger.answer(COMPLETED);
  ledger.answer(FAILED);
  expect(ledger.violations).toHaveLength(3);
});

test('gives each task heard of once, and again when more is heard', () => {
  const ledger = new Ledger();
  ledger.answer(COMPLETED);
  expect(ledger.takeTouched()).toEqual(['t']);
  ledger.seal('t', FRAMES, 'TASK_STATE_COMPLETED');
  expect(ledger.takeTouched()).toEqual([]);
  ledger.event('t', { sequence: 1, json: '{}' });
  expect(ledger.takeTouched()).toEqual(['t']);
});

test('an event that was received late is still looked for in a sealed journal', () => {
  const ledger = new Ledger();
  ledger.seal('t', FRAMES, 'TASK_STATE_COMPLETED');
  ledger.event('t', { sequence: 2, json: '{"statusUpdate":"other"}' });
  expect(ledger.contradictions('t', FRAMES, COMPLETED)).toHaveLength(1);
});
