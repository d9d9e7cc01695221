import { usePostgres } from '@holdword/store/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, VERSIONS } from '../../support/drivers/driver.ts';
import { openDrivers, type Drivers } from '../../support/drivers/open-drivers.ts';
import type { ServedHoldword } from '../../support/spawn-holdword.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { artifactTexts, oneByOne, say, sayAndLeave, sendForTask } from '../conversation.ts';
import { prepareReplicas, type Replicas } from '../replicas/start-replicas.ts';
import { caddy, nginx, nginxOfCompose } from './proxies.ts';
import { isInstalled, startProxy, type RunningProxy } from './start-proxy.ts';

/** The configurations of deploy/, each in front of two replicas, if the program is installed. */
const PROXIES = [nginx, nginxOfCompose, caddy];
const installed = PROXIES.filter(isInstalled);

describe.each(PROXIES.filter((proxy) => !installed.includes(proxy)))('$name', () => {
  test.skip('is not installed here: its configuration is not tested', () => {});
});

describe.skipIf(installed.length === 0)('behind a proxy', () => {
  watchForLeaks();
  const postgres = usePostgres();

  describe.each(installed)('$name', (proxy) => {
    let replicas: Replicas;
    let started: ServedHoldword[];
    let running: RunningProxy;
    let drivers: Drivers;
    const opened = new AsyncDisposableStack();

    beforeAll(async () => {
      replicas = await prepareReplicas(postgres());
      opened.defer(() => replicas.remove());
      started = await Promise.all([replicas.start(), replicas.start()]);
      running = await startProxy(
        proxy,
        started.map(({ target }) => target),
      );
      opened.defer(() => running.stop());
      drivers = openDrivers(running.target);
      opened.defer(() => drivers.close());
    });

    // What was not opened is not closed, and nothing is left open because something else fails to close.
    afterAll(() => opened.disposeAsync());

    describe.each(BINDINGS)('%s', (binding) => {
      test.each(VERSIONS)('answers A2A %s requests', async (version) => {
        const driver = await drivers.open({ binding, version, client: 'raw' });
        const task = await sendForTask(driver, say('echo through the proxy'));
        expect(artifactTexts(task)).toEqual({ echo: 'through the proxy' });
      });

      test('passes an event on while its task is still working', async () => {
        const driver = await drivers.open({ binding, version: '1.0', client: 'raw' });
        const gate = replicas.newGate();
        const { id } = await sendForTask(driver, sayAndLeave(`gate ${gate.file}`));
        await waitUntil('the agent at its gate', () => gate.isReached);
        const reader = oneByOne(driver.subscribe({ id }));
        const task = await reader.nextTask();
        expect(task.status.state).toBe('TASK_STATE_WORKING');
        gate.open();
        expect((await reader.rest()).at(-1)).toBe('completed Done.');
      });
    });

    test('leaves it to Holdword to reject large requests', async () => {
      const answer = await fetch(`${running.target.restUrl}/message:send`, {
        method: 'POST',
        headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
        body: JSON.stringify(say('x'.repeat(1_500_000))),
      });
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('1048576')]);
    });

    test.each(['/metrics', '/readyz'])('keeps %s for operators', async (path) => {
      expect((await fetch(`${running.target.baseUrl}${path}`)).status).toBe(404);
    });

    test('continues with the other replica when one is gone', async () => {
      const driver = await drivers.open({ binding: 'JSONRPC', version: '1.0', client: 'raw' });
      await started[0]?.kill();
      let inARow = 0;
      // A proxy may need failed requests to notice.
      await waitUntil('20 calls in a row to be answered', async () => {
        const answer = await driver.send(say('echo')).catch(() => undefined);
        inARow = answer === undefined ? 0 : inARow + 1;
        return inARow === 20;
      });
    });
  });
});
