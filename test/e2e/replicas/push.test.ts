import { usePostgres } from '@holdword/store/testing/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDriver } from '../../support/drivers/open-driver.ts';
import { startWebhook, type Webhook } from '../../support/start-webhook.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { say, sendForTask } from '../conversation.ts';
import { prepareReplicas, type Replicas } from './start-replicas.ts';

watchForLeaks();

const postgres = usePostgres();
const RAW = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;
const TAKEN_OVER_MILLISECONDS = 30_000;

let replicas: Replicas;
let webhook: Webhook;
beforeAll(async () => {
  replicas = await prepareReplicas(postgres());
  webhook = await startWebhook();
});
afterAll(async () => {
  await replicas.remove();
  await webhook.close();
});

function notifying(name: string) {
  return {
    configuration: {
      returnImmediately: true,
      taskPushNotificationConfig: { id: 'hook', url: webhook.url(name) },
    },
  };
}

/** What was received for a name: the sequence numbers of the events, in order. */
function arrived(name: string): number[] {
  return webhook.notifications(name).map(({ headers }) => {
    const id = String(headers['holdword-delivery-id']);
    return Number(id.slice(id.lastIndexOf('/') + 1));
  });
}

test('one of two replicas notifies at a time (J11), and the other continues when that one is killed', async () => {
  const [first, second] = await Promise.all([replicas.start(), replicas.start()]);
  const drivers = await Promise.all([first, second].map(({ target }) => openDriver(target, RAW)));
  const [here, there] = drivers as [(typeof drivers)[0], (typeof drivers)[0]];

  const many = Array.from({ length: 20 }, (_, index) => `many-${index}`);
  await Promise.all(
    many.map((name, index) => (index % 2 === 0 ? here : there).send(say('count to 10', {}, notifying(name)))),
  );
  await waitUntil('all notifications', () => many.every((name) => arrived(name).length >= 13), 20_000);

  const gate = replicas.newGate();
  const { id } = await sendForTask(here, say(`gate ${gate.file}`, {}, notifying('cut-off')));
  await waitUntil('what came before the kill', () => arrived('cut-off').length === 3);
  await first.kill();
  gate.open();
  await waitUntil('what comes after it', () => arrived('cut-off').includes(6), TAKEN_OVER_MILLISECONDS);
  expect(await there.get({ id })).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  // A batch that had been delivered and was not saved yet is delivered again, never out of order.
  expect([...new Set(arrived('cut-off'))]).toEqual([1, 2, 3, 4, 5, 6]);

  const thirteen = Array.from({ length: 13 }, (_, index) => index + 1);
  for (const name of many) expect(arrived(name), name).toEqual(thirteen);
});
