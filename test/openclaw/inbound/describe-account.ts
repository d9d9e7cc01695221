import { describe, expect, test } from 'vitest';
import {
  allEvents,
  oneByOne,
  outline,
  say,
  sayAndLeave,
  sendForTask,
  unique,
} from '../../e2e/conversation.ts';
import type { Version } from '../../support/drivers/driver.ts';
import type { InboundChoice } from './start-inbound.ts';
import type { InboundStage } from './inbound-stage.ts';

export type AccountChoice = InboundChoice & { readonly account: string; readonly version: Version };

/** Smoke test of an account: each of the five operations once, on tasks of its own store. */
export function describeAccount(stage: InboundStage, choice: AccountChoice): void {
  describe(`the account ${choice.account}, A2A ${choice.version}`, () => {
    test('sends, streams, gets, resubscribes and cancels', async () => {
      const [gate, endless] = [unique('told'), unique('endless')];
      stage.model.when('short', (answer) => answer.text('Yes.'));
      stage.model.when(gate, async (answer) => {
        await stage.gates.pass(gate);
        answer.text('At last.');
      });
      stage.model.when(endless, (answer) => answer.hang());
      const client = await stage.driver(choice);
      expect(await client.send(say('a short one'))).toMatchObject({ message: { parts: [{ text: 'Yes.' }] } });
      expect(outline(await allEvents(client.stream(say('a short one'))))).toEqual(['message Yes.']);

      const { id } = await sendForTask(client, sayAndLeave(`tell ${gate}`));
      await stage.gates.reached(gate);
      expect((await client.get({ id })).status.state).toBe('TASK_STATE_WORKING');
      const reader = oneByOne(client.subscribe({ id }));
      expect((await reader.nextTask()).id).toBe(id);
      stage.gates.open(gate);
      expect((await reader.rest()).at(-1)).toBe('completed At last.');
      expect((await client.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');

      const { id: other } = await sendForTask(client, sayAndLeave(`think about ${endless}`));
      await expect.poll(() => stage.model.requestsWith(endless).length).toBe(1);
      expect((await client.cancel({ id: other })).status.state).toBe('TASK_STATE_CANCELED');
      await expect.poll(() => stage.model.requestsWith(endless)[0]?.abandoned).toBe(true);
    });
  });
}
