import { isTerminal, type Task } from '@holdword/protocol';
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

  constructor(stage: InboundStage, version: Version) {
    this.#stage = stage;
    this.#version = version;
  }

  async begin(): Promise<void> {
    const word = unique('permission');
    this.#stage.model.when(word, (answer, { toolResults }) =>
      toolResults.length === 0
        ? answer.callTool('exec', { command: `echo ${word}` })
        : answer.text('Permitted.'),
    );
    this.#waiting = await sendForTask(await this.#client(), say(`ask for ${word}`));
    expect(this.#waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  }

  /** The question is unchanged, and an answer ends the task. */
  async expectAnswerable(): Promise<void> {
    const client = await this.#client();
    const { id = '', contextId = '', status } = this.#waiting ?? {};
    expect((await client.get({ id })).status).toEqual(status);
    const answered = await sendForTask(client, say('allow-once', { taskId: id, contextId }));
    expect(isTerminal(answered.status.state)).toBe(true);
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
