import { expect, onTestFinished, test } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { setup as installOpenClaw } from '../../openclaw/harness/install-openclaw.ts';
import { ADA_KEY, startService, ANONYMOUS } from '../../openclaw/inbound/start-service.ts';
import { SCALE } from '../scale.ts';

/** Only in the full version: a stopping gateway waits more than a minute for its turns. */
test.skipIf(SCALE.gatewayKills === 0)(
  'a stopping gateway does not complete an interrupted turn: it runs again',
  async () => {
    installOpenClaw();
    const service = await startService();
    onTestFinished(() => service.close());
    const word = unique('stop');
    service.hangOn(word);
    const callers = [ADA_KEY, ANONYMOUS];
    const tasks = await Promise.all(callers.map((headers) => service.begin(`please ${word}`, headers)));
    await service.restart(() => service.model.when(word, (answer) => answer.text('A whole answer.')));
    for (const [index, headers] of callers.entries()) {
      await expect
        .poll(() => service.get(tasks[index]?.id ?? '', headers), { timeout: 120_000 })
        .toMatchObject({
          status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'A whole answer.' }] } },
        });
    }
  },
);
