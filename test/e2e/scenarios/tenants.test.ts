import { expect } from 'vitest';
import { callHttp } from '../../support/drivers/http-client.ts';
import { allEvents, artifactTexts, oneByOne, say, sendForTask, unique } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

scenarios('Tenants', {}, ({ scenario, check }) => {
  scenario(
    { it: 'do not see the tasks of another tenant', covers: ['TENANT-SCOPE'], on: { versions: ['1.0'] } },
    async ({ driver }) => {
      const [mine, other] = [unique('tenant'), unique('tenant')];
      const contextId = unique('context');
      const task = await sendForTask(driver, { ...say('owner; ask what?', { contextId }), tenant: mine });
      expect(artifactTexts(task)['owner']).toContain(`"tenant":"${mine}"`);
      const { id } = task;
      for (const tenant of [other, undefined]) {
        const scope = tenant === undefined ? {} : { tenant };
        await expectError(driver, 'TASK_NOT_FOUND', driver.get({ id, ...scope }));
        await expectError(driver, 'TASK_NOT_FOUND', driver.cancel({ id, ...scope }));
        await expectStreamError(driver, 'TASK_NOT_FOUND', driver.subscribe({ id, ...scope }));
        await expectError(
          driver,
          'TASK_NOT_FOUND',
          driver.send({ ...say('complete', { taskId: id }), ...scope }),
        );
        expect((await driver.list({ contextId, ...scope })).tasks).toEqual([]);
      }
      expect((await driver.get({ id, tenant: mine })).id).toBe(id);
      expect((await driver.list({ contextId, tenant: mine })).tasks.map((each) => each.id)).toEqual([id]);
      const subscription = oneByOne(driver.subscribe({ id, tenant: mine }));
      expect((await subscription.nextTask()).id).toBe(id);
      await subscription.leave();
      const events = await allEvents(driver.stream({ ...say('complete', { taskId: id }), tenant: mine }));
      expect(events.length).toBeGreaterThan(1);
    },
  );

  check(
    {
      it: 'come from the path or the body of REST, which must agree',
      covers: ['TENANT-PATH'],
      surfaces: ['HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      const tenant = unique('tenant');
      const send = async (path: string, body: object) =>
        callHttp({ url: `${target.restUrl}${path}/message:send`, headers, body: JSON.stringify(body) });
      for (const answer of [
        await send(`/${tenant}`, say('owner; complete')),
        await send('', { ...say('owner; complete'), tenant }),
        await send(`/${tenant}`, { ...say('owner; complete'), tenant }),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.body).toContain(`\\"tenant\\":\\"${tenant}\\"`);
      }
      const mismatch = await send(`/${tenant}`, { ...say('complete'), tenant: 'other' });
      expect(mismatch.status).toBe(400);
      expect(mismatch.body).toContain('"field":"tenant"');
    },
  );
});
