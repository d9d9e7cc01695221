import { expect, onTestFinished, test } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { setup as installOpenClaw } from '../../openclaw/harness/install-openclaw.ts';
import { ADA_KEY, INTERRUPTED, startService, ANONYMOUS } from '../../openclaw/inbound/start-service.ts';
import { SCALE } from '../scale.ts';

/** Only in the full version: a stopping gateway waits more than a minute for its turns. */
test.skipIf(SCALE.gatewayKills === 0)(
  'a stopping gateway does not complete an interrupted turn: one with tools fails, one without runs again',
  async () => {
    installOpenClaw();
    const service = await startService();
    onTestFinished(() => service.close());
    const word = unique('stop');
    service.hangOn(word);
    const withTools = await service.begin(`please ${word}`, ADA_KEY);
    const without = await service.begin(`please ${word}`, ANONYMOUS);
    await service.restart(() => service.model.when(word, (answer) => answer.text('A whole answer.')));
    await expect
      .poll(() => service.get(withTools.id, ADA_KEY), { timeout: 120_000 })
      .toMatchObject(INTERRUPTED);
    expect(JSON.stringify((await service.get(withTools.id, ADA_KEY)).status)).toContain(
      'the gateway ended the run',
    );
    await expect
      .poll(() => service.get(without.id, ANONYMOUS), { timeout: 120_000 })
      .toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'A whole answer.' }] } },
      });
  },
);
