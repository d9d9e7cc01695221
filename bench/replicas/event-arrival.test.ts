import { expect, it } from 'vitest';
import { EventArrival } from './event-arrival.ts';

const WAITING = 'data: {"result":{"task":{"status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}}\n\n';
const COMPLETED = 'data: {"result":{"statusUpdate":{"status":{"state":"TASK_STATE_COMPLETED"}}}}\n\n';

it('records when the completed state arrived, and that the stream was live before', async () => {
  const arrival = new EventArrival();
  arrival.body(Buffer.from(WAITING));
  await arrival.opened;
  const before = performance.now();
  arrival.body(Buffer.from(COMPLETED));
  arrival.end(200);
  expect(arrival.arrivedAt).toBeGreaterThanOrEqual(before);
  expect(arrival.arrivedAt).toBeLessThanOrEqual(performance.now());
});

it('rejects a stream that fails or ends without the event', () => {
  const arrival = new EventArrival();
  arrival.body(Buffer.from(WAITING));
  expect(() => arrival.end(503)).toThrow('received 503');
  expect(() => arrival.arrivedAt).toThrow('The stream has no completed task');
});
