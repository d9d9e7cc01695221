import { beforeAll, describe, expect, test } from 'vitest';
import { say, unique } from '../../e2e/conversation.ts';
import { VERSIONS } from '../../support/drivers/driver.ts';
import type { AccountChoice } from './describe-account.ts';
import type { InboundStage } from './inbound-stage.ts';
import { InterruptedQuestion } from './interrupted-question.ts';
import { InterruptedWork } from './interrupted-work.ts';

/** Turns before the kill, and a slow start on a busy machine. */
const RESTART_MILLISECONDS = 300_000;

/** Every durable store, and both versions. */
const READERS: readonly AccountChoice[] = [
  { account: 'durable', version: '1.0' },
  { account: 'durable', version: '0.3' },
  { account: 'default', version: '1.0' },
  { account: 'default', version: '0.3' },
  { account: 'database', version: '1.0' },
];

/** What survives a kill of the gateway. The last tests of a file, because client sessions end with the gateway. */
export function describeRestart(stage: InboundStage): void {
  describe('a gateway that was killed during a turn', () => {
    const works = READERS.map((choice) => ({ ...choice, work: new InterruptedWork(stage, choice) }));
    const questions = VERSIONS.map((version) => ({
      version,
      question: new InterruptedQuestion(stage, version),
    }));

    beforeAll(async () => {
      await Promise.all(questions.map(({ question }) => question.begin()));
      await Promise.all(works.map(({ work }) => work.begin()));
      await stage.gateway.killAndStart(() => {
        for (const { work } of works) work.tellTheEnd();
      });
    }, RESTART_MILLISECONDS);

    test.each(works)('has every task of $account, and readers of A2A $version resume', ({ work }) =>
      work.expectContinued(),
    );

    test.each(questions)('still waits for the answer to its question, A2A $version', ({ question }) =>
      question.expectAnswerable(),
    );

    test.each(VERSIONS)('works as before, A2A %s', async (version) => {
      const word = unique('back');
      stage.model.when(word, (answer) => answer.text('I am back.'));
      const client = await stage.anonymous(version);
      expect(await client.send(say(`are you ${word}`))).toMatchObject({
        message: { parts: [{ text: 'I am back.' }] },
      });
    });
  });
}
