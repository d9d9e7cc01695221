import { expect, test } from 'vitest';
import { ResultResponseCheck } from './result-response-check.ts';

function read(status: number, answer: object): () => void {
  const sink = new ResultResponseCheck('1', ['session_id']);
  sink.body(Buffer.from(JSON.stringify(answer)));
  return () => sink.end(status);
}

test('accepts only a result with its fields', () => {
  expect(read(200, { id: '1', result: { session_id: 'a' } })).not.toThrow();
  const wanted = 'Expected 200 with session_id for 1, received';
  expect(read(200, { id: '2', result: { session_id: 'a' } })).toThrow(wanted);
  expect(read(200, { id: '1', result: {} })).toThrow(wanted);
  expect(read(200, { id: '1', error: {} })).toThrow(wanted);
  expect(read(401, { id: '1', result: { session_id: 'a' } })).toThrow(wanted);
});
