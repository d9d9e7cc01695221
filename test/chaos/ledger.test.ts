import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

const FRAMES = [
  { sequence: 1, json: '{"task":1}' },
  { sequence: 2, json: '{"statusUpdate":2}' },
];
const COMPLETED = '{"id":"t","status":{"state":"TASK_STATE_COMPLETED"}}';
const FAILED = COMPLETED.replace('COMPLETED', 'FAILED');

test('accepts a journal with everything that was acknowledged', () => {
  const ledger = new Ledger();
  for (const frame of FRAMES) ledger.event('t', frame);
  ledger.response(COMPLETED);
  expect(ledger.contradictions('t', FRAMES, COMPLETED)).toEqual([]);
});

test('finds an acknowledged event that is missing, changed or moved', () => {
  const ledger = new Ledger();
  for (const frame of FRAMES) ledger.event('t', frame);
  const contradictions = (frames: typeof FRAMES): string =>
    ledger.contradictions('t', frames, COMPLETED).join();
  expect(contradictions(FRAMES.slice(0, 1))).toContain('is missing 1 acknowledged events; event 2');
  expect(contradictions(FRAMES.toReversed())).toContain('is missing 2 acknowledged events; event 1');
});

test('finds a final response that has changed', () => {
  const ledger = new Ledger();
  ledger.response(COMPLETED);
  expect(ledger.contradictions('t', FRAMES, FAILED)).not.toEqual([]);
});

test('a sealed journal may not grow or change', () => {
  const ledger = new Ledger();
  ledger.seal('t', FRAMES, 'TASK_STATE_COMPLETED');
  expect(ledger.contradictions('t', FRAMES, COMPLETED)).toEqual([]);
  expect(ledger.contradictions('t', [...FRAMES, { sequence: 3, json: '{}' }], COMPLETED)).toHaveLength(1);
});

test('reports contradictions of the server immediately', () => {
  const ledger = new Ledger();
  ledger.event('t', { sequence: 1, json: '{}' });
  ledger.event('t', { sequence: 1, json: '[]' });
  ledger.key('k', { taskId: 't', request: {} });
  ledger.key('k', { taskId: 'u', request: {} });
  ledger.response(COMPLETED);
  ledger.response(FAILED);
  expect(ledger.violations).toHaveLength(3);
});

test('returns each touched task once, and again after news of it', () => {
  const ledger = new Ledger();
  ledger.response(COMPLETED);
  expect(ledger.takeTouched()).toEqual(['t']);
  ledger.seal('t', FRAMES, 'TASK_STATE_COMPLETED');
  expect(ledger.takeTouched()).toEqual([]);
  ledger.event('t', { sequence: 1, json: '{}' });
  expect(ledger.takeTouched()).toEqual(['t']);
});

test('checks an event that was received late against a sealed journal', () => {
  const ledger = new Ledger();
  ledger.seal('t', FRAMES, 'TASK_STATE_COMPLETED');
  ledger.event('t', { sequence: 2, json: '{"statusUpdate":"other"}' });
  expect(ledger.contradictions('t', FRAMES, COMPLETED)).toHaveLength(1);
});
