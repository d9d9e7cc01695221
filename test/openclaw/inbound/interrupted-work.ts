import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RESUME_EXTENSION, type Task } from '@holdword/protocol';
import { expect } from 'vitest';
import { allEvents, outline, sayAndLeave, sendForTask, textOf, unique } from '../../e2e/conversation.ts';
import type { StreamedEvent } from '../../support/drivers/driver.ts';
import type { AccountChoice } from './describe-account.ts';
import type { InboundStage } from './inbound-stage.ts';

/** Allows resuming a task that has ended. */
const RESUMING = { 'a2a-extensions': RESUME_EXTENSION };

/** A streaming answer and its reader when the gateway is killed. */
export class InterruptedWork {
  readonly #stage: InboundStage;
  readonly #choice: AccountChoice;
  readonly #word = unique('story');
  #kept: Task | undefined;
  #id = '';
  #cursor = '';

  constructor(stage: InboundStage, choice: AccountChoice) {
    this.#stage = stage;
    // The official client does not expose event IDs.
    this.#choice = { ...choice, client: 'raw' };
  }

  /** Finishes one task, starts another, and reads it until part of the answer has arrived. */
  async begin(): Promise<void> {
    const { model, gates } = this.#stage;
    const client = await this.#stage.driver(this.#choice);
    model.when('before the end', (answer) => answer.text('Kept.'));
    const { id } = await sendForTask(client, sayAndLeave('before the end'));
    await allEvents(client.subscribe({ id }, { headers: RESUMING }));
    this.#kept = await client.get({ id });
    model.when(this.#word, async (answer) => {
      await gates.pass(this.#word);
      answer.text('Once upon');
      await answer.hang();
    });
    ({ id: this.#id } = await sendForTask(client, sayAndLeave(`tell ${this.#word}`)));
    await gates.reached(this.#word);
    for await (const { id: number = '', event } of client.subscribe({ id: this.#id })) {
      gates.open(this.#word);
      this.#cursor = number;
      if (outline([event]).join().includes('Once upon')) break;
    }
  }

  /** From now on the answer ends. */
  tellTheEnd(): void {
    this.#stage.model.when(this.#word, (answer, { toolResults, userText }) =>
      // OpenClaw recovers the session by itself, and offers all tools to the run of an anonymous caller.
      userText.includes('gateway restart') && toolResults.length === 0
        ? answer.callTool('exec', { command: `touch ${this.#leftBehind}` })
        : answer.text('Once more.'),
    );
  }

  /** The finished task is unchanged, and the reader receives the rest of the other one. */
  async expectContinued(): Promise<void> {
    const client = await this.#stage.driver(this.#choice);
    expect(this.#kept?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await client.get({ id: this.#kept?.id })).toEqual(this.#kept);
    const id = this.#id;
    const headers = { ...RESUMING, 'last-event-id': this.#cursor };
    const events: StreamedEvent[] = [];
    for await (const event of client.subscribe({ id }, { headers })) events.push(event);
    // No duplicates and no gaps: the task as of the cursor, then all missed events.
    expect(events.map((each) => Number(each.id))).toEqual(
      events.map((_, index) => Number(this.#cursor) + index),
    );
    const rest = outline(events.map(({ event }) => event));
    expect(rest[0]).toBe('task working');
    expect(rest.at(-1)).toBe('completed Once more.');
    const ended = await client.get({ id });
    expect(ended.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOf(ended.status.message?.parts ?? [])).toBe('Once more.');
    expect(existsSync(this.#leftBehind)).toBe(false);
  }

  get #leftBehind(): string {
    return join(this.#stage.gateway.home.workspace, `left-behind-by-${this.#word}`);
  }
}
