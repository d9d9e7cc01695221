import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { GatewayChat, type ChatTurn } from '../harness/gateway-chat.ts';
import { startGateway, type Gateway } from '../harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { PICTURE } from '../harness/picture.ts';
import {
  beginTurn,
  callInTurn,
  toolUpdates,
  type Continuation,
  type ModelResult,
  type RawEvent,
} from '../outbound/call-in-turn.ts';
import type { InboundStage } from './inbound-stage.ts';
import { ADA, CAREFUL } from './peers.ts';
import { pathsOf } from './start-inbound.ts';

const say = (text: string): object[] => [{ kind: 'text', text }];
const same = ({ summary }: ModelResult): Continuation => summary.continuation ?? {};
const statusOf = (result: ModelResult | undefined): unknown => result?.summary.continuation?.task?.status;

/** Two gateways: one with the inbound plugin, and one whose agent calls it with the outbound plugin. */
export function describeOutbound(stage: InboundStage): void {
  describe('the outbound plugin of another gateway', () => {
    let home: OpenClawHome;
    let gateway: Gateway;
    let chat: GatewayChat;

    beforeAll(async () => {
      const { folder } = await packedPlugin('openclaw-outbound');
      home = await createOpenClawHome({
        model: stage.model,
        configuration: (places) => ({
          plugins: {
            load: { paths: [folder] },
            entries: {
              'openclaw-a2a-outbound': {
                enabled: true,
                config: { enabled: true, targets: targetsOf(stage, places.folder) },
              },
            },
          },
          tools: { alsoAllow: ['remote_agent'] },
        }),
      });
      await writeFile(join(home.folder, 'ada'), ADA);
      await writeFile(join(home.folder, 'careful'), CAREFUL);
      gateway = await startGateway(home);
      chat = await GatewayChat.open(home);
    });

    afterAll(async () => {
      chat.close();
      await gateway.kill();
      await home.remove();
    });

    test('sends, follows and cancels work, and decides tool approvals', async () => {
      const { model } = stage;
      const [quick, endless, permit] = [unique('quick'), unique('endless'), unique('permit')];
      model.when(quick, (answer) => answer.text('Quickly done.'));
      model.when(endless, (answer) => answer.hang());
      model.when(permit, (answer, { toolResults: [result] }) => {
        if (result === undefined) answer.callTool('exec', { command: 'echo permitted' });
        else answer.text(`It said ${result.trim()}.`);
      });
      const ada = { action: 'send', target_alias: 'ada' };
      const [direct, begun, watched, , canceled, asked, answered] = await callInTurn(
        { model, chat },
        { ...ada, parts: say(quick) },
        { ...ada, parts: say(quick), task_requirement: 'required' },
        (sent) => ({ action: 'watch', continuation: same(sent) }),
        { ...ada, parts: say(endless), task_requirement: 'required' },
        (sent) => ({ action: 'cancel', continuation: same(sent) }),
        { action: 'send', target_alias: 'careful', parts: say(permit), follow_updates: true },
        (sent) => ({ action: 'send', continuation: same(sent), parts: say('allow-once') }),
      );
      expect(direct?.summary.message_text).toContain('Quickly done.');
      expect(begun?.summary.response_kind).toBe('task');
      expect(statusOf(watched)).toBe('completed');
      expect(watched?.summary.message_text).toContain('Quickly done.');
      expect(statusOf(canceled)).toBe('canceled');
      await expect.poll(() => model.requestsWith(endless).every(({ abandoned }) => abandoned)).toBe(true);
      expect(asked?.summary).toMatchObject({
        question: {
          kind: 'input-required',
          text: expect.stringContaining('echo permitted') as string,
          choices: expect.stringContaining('[{"value":"allow-once"},{"value":"deny"}]') as string,
        },
      });
      expect(answered).toMatchObject({
        ok: true,
        summary: {
          message_text: expect.stringContaining('It said permitted.') as string,
          continuation: { task: { status: 'completed' } },
        },
      });
    });

    test('receives errors, files and progress', async () => {
      const { model, gates } = stage;
      const [refused, drawn, slow] = [unique('refused'), unique('drawn'), unique('slow')];
      await writeFile(join(stage.gateway.home.workspace, `${drawn}.png`), Buffer.from(PICTURE, 'base64'));
      model.when(refused, (answer) => answer.rejectWith(400));
      model.when(drawn, (answer) => answer.text(`Here it is.\nMEDIA:./${drawn}.png`));
      model.when(slow, async (answer) => {
        await gates.pass(slow);
        answer.text('Slowly done.');
      });
      const ada = { action: 'send', target_alias: 'ada' };
      let slowOne: Continuation = {};
      const { results } = await beginTurn({ model, chat }, [
        { ...ada, parts: say(refused) },
        { action: 'send', target_alias: 'files', parts: say(drawn) },
        { ...ada, parts: say(slow), task_requirement: 'required' },
        async (sent) => {
          await gates.reached(slow);
          return { action: 'status', continuation: (slowOne = same(sent)) };
        },
        () => {
          gates.open(slow);
          return { action: 'watch', continuation: slowOne };
        },
      ]);
      const [failed, picture, , asked, watched] = await results();
      expect(statusOf(failed)).toBe('failed');
      expect(failed?.summary.message_text).toContain('LLM request failed');
      expect(statusOf(picture)).toBe('completed');
      expect(picture?.summary.message_text).toContain('Here it is.');
      expect(picture?.summary['files']).toMatchObject([{ mime_type: 'image/png' }]);
      expect(statusOf(asked)).toBe('working');
      expect(asked?.summary.continuation?.task?.task_id).toBe(slowOne.task?.task_id);
      expect(statusOf(watched)).toBe('completed');
      expect(watched?.summary.message_text).toContain('Slowly done.');
    });

    test('receives the events of the agent in order', async () => {
      const { model } = stage;
      const word = unique('count');
      model.when(word, (answer, { toolResults: [result] }) => {
        if (result === undefined) answer.callTool('exec', { command: 'echo seven' });
        else answer.text(`There are ${result}.`);
      });
      const { turn, results } = await beginTurn({ model, chat }, [
        { action: 'send', target_alias: 'ada', parts: say(word), follow_updates: true },
      ]);
      const [followed] = await results();
      const events = (followed?.raw?.events ?? []).map(frameName);
      expect(events.slice(0, 2)).toEqual(['submitted', 'working']);
      // The id of a tool's progress has too many words to be shown to a model.
      expect(events.indexOf('artifact-update')).toBeGreaterThan(1);
      expect(events.indexOf('artifact-update')).toBeLessThan(events.indexOf('assistant-output-0001'));
      expect(events.at(-1)).toBe('completed');
      expect(statesShown(turn)).toEqual(['submitted', 'working', 'completed']);
    });
  });
}

function frameName({ kind, status, artifact }: RawEvent): string {
  return status?.state ?? artifact?.artifactId ?? kind;
}

/** The states of the first tool call of a turn, as the gateway reported them. */
function statesShown(turn: ChatTurn): string[] {
  const states = toolUpdates(turn, 0).map((update) => /"status":"([\w-]+)"/.exec(update)?.[1] ?? '');
  return states.filter((state, index) => state !== states[index - 1]);
}

/** Targets: two peers of one account, and another account with files. */
function targetsOf({ gateway }: InboundStage, folder: string): object[] {
  const baseUrl = gateway.url;
  return [
    ...['ada', 'careful'].map((alias) => ({
      alias,
      baseUrl,
      cardPath: pathsOf('peers').agentCardPath,
      auth: { type: 'bearer', token: { file: join(folder, alias) } },
    })),
    {
      alias: 'files',
      baseUrl,
      cardPath: pathsOf('files').agentCardPath,
      auth: { type: 'bearer', token: { file: join(folder, 'ada') } },
    },
  ];
}
