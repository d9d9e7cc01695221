import { describe, expect, test } from 'vitest';
import { requestContext, send, sendForTask, taskIn } from '../../operations/testing/start-test-operations.ts';
import { fakeProfile, startCliAgent } from './testing/start-cli-agent.ts';

describe('a program runs', () => {
  test('in one folder for all, or in one for each context', async () => {
    const fixed = await startCliAgent(fakeProfile());
    expect((await sendForTask(fixed.operations, 'where')).status.message?.parts).toEqual([
      { text: fixed.folder },
    ]);
    const apart = await startCliAgent(fakeProfile(), { workingDirectory: { perContextIn: fixed.folder } });
    const whereIn = async (contextId: string): Promise<unknown> =>
      (await sendForTask(apart.operations, 'where', { contextId })).status.message?.parts[0]?.text;
    const [one, other, again] = [await whereIn('one'), await whereIn('other'), await whereIn('one')];
    expect(one).toMatch(new RegExp(`^${fixed.folder}/[0-9a-f]{32}$`));
    expect(other).not.toBe(one);
    expect(again).toBe(one);
  });

  test('without the environment of the server, but with what was configured', async () => {
    const agent = await startCliAgent(fakeProfile(), { environment: { values: { GIVEN: 'yes' } } });
    const answerTo = async (text: string): Promise<unknown> =>
      (await sendForTask(agent.operations, text)).status.message?.parts;
    expect(process.env['NODE_ENV'] ?? process.env['VITEST']).toBeDefined();
    expect(await answerTo('variable VITEST')).toEqual([{ text: 'unset' }]);
    expect(await answerTo('variable GIVEN')).toEqual([{ text: 'yes' }]);
  });

  test('in the trace of the request', async () => {
    const { operations } = await startCliAgent(fakeProfile());
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const trace = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const answer = await operations.sendMessage(send('variable TRACEPARENT'), requestContext({ trace }));
    expect(taskIn(answer).status.message?.parts[0]?.text).toContain(traceId);
  });
});
