import { IDEMPOTENCY_EXTENSION } from '@holdword/protocol';
import { expect } from 'vitest';
import { allEvents, say, sendForTask, textOf, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const TIMES = 50;

scenarios('One intent, one task', {}, ({ scenario }) => {
  scenario(
    { it: `holds for ${TIMES} equal sends at the same time with one key`, covers: ['IDEMPOTENCY-ONE-TASK'] },
    async ({ driver }) => {
      const headers = { 'idempotency-key': unique('key') };
      const contextId = unique('context');
      const request = say('artifact a x; complete', { contextId });
      const tasks = await Promise.all(
        Array.from({ length: TIMES }, () => sendForTask(driver, request, { headers })),
      );
      expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
      expect(tasks.every(({ status }) => status.state === 'TASK_STATE_COMPLETED')).toBe(true);
      expect(tasks.every(({ artifacts }) => textOf(artifacts?.[0]?.parts ?? []) === 'x')).toBe(true);
      const next = await sendForTask(driver, say('remember; complete', { contextId }));
      expect(next.artifacts?.[0]?.parts[0]?.text).toBe('1');
    },
  );

  scenario(
    { it: 'holds between a send and a stream', covers: ['IDEMPOTENCY-ONE-TASK'] },
    async ({ driver }) => {
      const headers = { 'idempotency-key': unique('key') };
      const request = say('artifact a x; complete');
      const task = await sendForTask(driver, request, { headers });
      const [first] = await allEvents(driver.stream(request, { headers }));
      expect(first).toMatchObject({ task: { id: task.id } });
    },
  );

  scenario(
    { it: 'rejects a different payload with the same key', covers: ['IDEMPOTENCY-CONFLICT'] },
    async ({ driver }) => {
      const headers = { 'idempotency-key': unique('key') };
      const message = { messageId: unique('message') };
      await sendForTask(driver, say('complete one', message), { headers });
      if (driver.client === 'raw') {
        await expectError(
          driver,
          'IDEMPOTENCY_CONFLICT',
          driver.send(say('complete two', message), { headers }),
        );
      } else {
        await expect(driver.send(say('complete two', message), { headers })).rejects.toThrow(
          /idempotency key/,
        );
      }
    },
  );

  scenario(
    {
      it: 'uses the messageId as the key for clients that declare the extension',
      covers: ['IDEMPOTENCY-MESSAGE-ID'],
    },
    async ({ driver }) => {
      const name = driver.version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
      const headers = { [name]: IDEMPOTENCY_EXTENSION };
      const request = say('complete');
      const tasks = await Promise.all([
        sendForTask(driver, request, { headers }),
        sendForTask(driver, request, { headers }),
      ]);
      expect(tasks[0].id).toBe(tasks[1].id);
      expect((await sendForTask(driver, say('complete'), { headers })).id).not.toBe(tasks[0].id);
    },
  );
});
