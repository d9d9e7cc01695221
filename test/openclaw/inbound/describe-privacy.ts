import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { say, unique } from '../../e2e/conversation.ts';
import type { InboundStage } from './inbound-stage.ts';
import { ADA, BERT, CLARA } from './peers.ts';

/** Of the files that OpenClaw puts into prompts, only this one is not private. */
const INSTRUCTIONS = 'AGENTS.md';
const PRIVATE = ['SOUL.md', 'IDENTITY.md', 'USER.md', 'MEMORY.md'];

/** Where OpenClaw looks for the files in the prompts of `main`. Its runs start in the folder above. */
function workspaceOf(stage: InboundStage): string {
  return join(stage.gateway.home.workspace, 'main');
}

function contentOf(name: string): string {
  return `the content of ${name} is for the owner`;
}

/** What callers learn about the gateway and its owner. */
export function describePrivacy(stage: InboundStage): void {
  describe('the private files of the agent', () => {
    beforeAll(async () => {
      const workspace = workspaceOf(stage);
      await mkdir(join(workspace, 'memory'), { recursive: true });
      for (const name of [INSTRUCTIONS, ...PRIVATE]) await writeFile(join(workspace, name), contentOf(name));
      await writeFile(join(workspace, 'memory', 'today.md'), contentOf('today.md'));
    });

    test('are not in the prompt of callers without credentials', async () => {
      expect(await filesInPrompt(stage)).toEqual([INSTRUCTIONS]);
    });

    test('are in the prompt of peers only if their entry says so', async () => {
      expect(await filesInPrompt(stage, BERT)).toEqual([INSTRUCTIONS]);
      expect(await filesInPrompt(stage, ADA)).toEqual([INSTRUCTIONS]);
      expect(await filesInPrompt(stage, CLARA)).toEqual([INSTRUCTIONS, ...PRIVATE]);
    });

    test.each(['./MEMORY.md', 'memory/today.md', '/MEMORY.md'])(
      'are not sent to callers without credentials: MEDIA:%s',
      async (path) => {
        const word = unique('send');
        const media = path.startsWith('/') ? join(workspaceOf(stage), path) : path;
        stage.model.when(word, (answer) => answer.text(`Here it is.\nMEDIA:${media}`));
        const client = await stage.driver({ account: 'files' });
        const answered = JSON.stringify(await client.send(say(`please ${word}`)));
        expect(answered).not.toContain(Buffer.from('the content of').toString('base64').slice(0, 12));
        expect(answered).not.toContain('for the owner');
      },
    );
  });

  describe('the file tools of a peer', () => {
    test('do not reach the token of the gateway', async () => {
      const { environment, gatewayToken, folder, workspace, stateFolder } = stage.gateway.home;
      const config = environment['OPENCLAW_CONFIG_PATH'] ?? '';
      await symlink(config, join(workspace, 'innocent.txt'));
      const own = join(stateFolder, 'a2a', 'account-peers', 'peer-bert');
      await mkdir(own, { recursive: true });
      await symlink(config, join(own, 'innocent.txt'));
      const paths = [
        config,
        '../openclaw.json',
        `${folder}/openclaw.json`,
        'innocent.txt',
        '~/openclaw.json',
      ];
      for (const key of [BERT, CLARA]) {
        for (const path of paths) {
          const result = await read(stage, key, path);
          expect(result).not.toBe('');
          expect(result).not.toContain(gatewayToken);
        }
      }
    });

    test('reach the workspace of the agent only with private files, otherwise a folder of the peer', async () => {
      const { stateFolder, workspace } = stage.gateway.home;
      await writeFile(join(workspace, 'notes.txt'), 'notes of the owner');
      const own = join(stateFolder, 'a2a', 'account-peers', 'peer-bert');
      await mkdir(own, { recursive: true });
      await writeFile(join(own, 'notes.txt'), 'notes of bert');
      expect(await read(stage, CLARA, 'notes.txt')).toContain('notes of the owner');
      expect(await read(stage, BERT, 'notes.txt')).toContain('notes of bert');
      expect(await read(stage, BERT, join(workspace, 'notes.txt'))).not.toContain('notes of the owner');
      expect(await read(stage, BERT, join(workspaceOf(stage), 'USER.md'))).not.toContain('for the owner');
    });
  });

  describe('the agent that answers', () => {
    test.each([
      ['chosen', 'careful', 'wins over a binding for all accounts'],
      ['rerouted', 'main', 'gives way to a binding for this account'],
    ])('account %s: %s, because defaultAgentId %s', async (account, agent) => {
      const word = unique('who');
      stage.model.when(word, (answer) => answer.text('Me.'));
      const client = await stage.driver({ account });
      await client.send(say(`tell me ${word}`));
      const request = stage.model.requestsWith(word).at(-1);
      expect(`${request?.system}${request?.userText}`).toContain(`agent=${agent} `);
    });
  });
}

/** What the agent gets when it reads a file for a peer. */
async function read(stage: InboundStage, key: string, path: string): Promise<string> {
  const word = unique('read');
  stage.model.when(word, (answer, { toolResults: [result] }) => {
    if (result === undefined) answer.callTool('read', { path });
    else answer.text('Read.');
  });
  const client = await stage.driver({ key });
  await client.send(say(`look at ${word}`));
  return stage.model.requestsWith(word).at(-1)?.toolResults.join('\n') ?? '';
}

/** The files in the prompt of a turn. */
async function filesInPrompt(stage: InboundStage, key?: string): Promise<string[]> {
  const word = unique('prompt');
  stage.model.when(word, (answer) => answer.text('Fine.'));
  const client = await stage.driver(key === undefined ? {} : { key });
  await client.send(say(`what about ${word}`));
  const system = stage.model.requestsWith(word).at(-1)?.system ?? '';
  return [INSTRUCTIONS, ...PRIVATE].filter((name) => system.includes(contentOf(name)));
}
