import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { GatewayChat } from '../harness/gateway-chat.ts';
import { startGateway, type Gateway } from '../harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { callInTurn, type Continuation, type ModelResult } from '../outbound/call-in-turn.ts';
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

    test('sends, follows and cancels work, and answers what a tool asks', async () => {
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
        message_text: expect.stringContaining('echo permitted') as string,
        question: { kind: 'input-required', choices: [{ value: 'allow-once' }, { value: 'deny' }] },
      });
      expect(answered).toMatchObject({
        ok: true,
        summary: {
          message_text: expect.stringContaining('It said permitted.') as string,
          continuation: { task: { status: 'completed' } },
        },
      });
    });
  });
}

function targetsOf({ gateway }: InboundStage, folder: string): object[] {
  return ['ada', 'careful'].map((alias) => ({
    alias,
    baseUrl: gateway.url,
    cardPath: pathsOf('peers').agentCardPath,
    auth: { type: 'bearer', token: { file: join(folder, alias) } },
  }));
}
