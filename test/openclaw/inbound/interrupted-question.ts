import type { Task } from '@holdword/protocol';
import { expect } from 'vitest';
import { say, sendForTask, unique } from '../../e2e/conversation.ts';
import type { Driver, Version } from '../../support/drivers/driver.ts';
import type { InboundStage } from './inbound-stage.ts';
import { CAREFUL } from './peers.ts';

/** A task that waits for an approval when the gateway is killed. */
export class InterruptedQuestion {
  readonly #stage: InboundStage;
  readonly #version: Version;
  #waiting: Task | undefined;
  #word = '';

  constructor(stage: InboundStage, version: Version) {
    this.#stage = stage;
    this.#version = version;
  }

  async begin(): Promise<void> {
    const word = unique('permission');
    let calls = 0;
    this.#stage.model.when(word, (answer, { toolResults }) =>
      toolResults.length === 0
        ? answer.callTool('exec', { command: `echo ${word}` }, `call-${++calls}-${word}`)
        : answer.text(`Permitted: ${toolResults.join()}`),
    );
    this.#word = word;
    this.#waiting = await sendForTask(await this.#client(), say(`ask for ${word}`));
    expect(this.#waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  }

  /** The question is unchanged. Its answer runs nothing, but the agent learns of it and asks again. */
  async expectAnswerable(): Promise<void> {
    const client = await this.#client();
    const { id = '', contextId = '', status } = this.#waiting ?? {};
    expect((await client.get({ id })).status).toEqual(status);
    const allow = () => sendForTask(client, say('allow-once', { taskId: id, contextId }));
    const asked = await allow();
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const calls = asked.artifacts?.filter(({ artifactId }) => artifactId.startsWith('tool-progress-'));
    expect(JSON.stringify(calls?.[0])).toMatch(
      /"status":"interrupted".*lapsed because the gateway restarted/,
    );
    const ran = { text: expect.stringMatching(new RegExp(`^Permitted: .*${this.#word}`)) };
    expect((await allow()).status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [ran] },
    });
  }

  #client(): Promise<Driver> {
    return this.#stage.driver({
      account: 'durable',
      client: 'raw',
      key: CAREFUL,
      version: this.#version,
    });
  }
}
