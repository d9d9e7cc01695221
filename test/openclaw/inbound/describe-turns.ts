import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { allEvents, say, sayAndLeave, sendForTask, textOf, unique } from '../../e2e/conversation.ts';
import type { Version } from '../../support/drivers/driver.ts';
import { PICTURE } from '../harness/picture.ts';
import type { InboundStage } from './inbound-stage.ts';
import { ADA, CAREFUL } from './peers.ts';
import { pathsOf } from './start-inbound.ts';

/** Inside a turn: tools, approvals, files, and concurrent turns. */
export function describeTurns(stage: InboundStage, version: Version): void {
  describe(`a turn, A2A ${version}`, () => {
    test('is canceled together with its running tool', async () => {
      const word = unique('sleep');
      const pidFile = join(stage.gateway.home.workspace, word);
      stage.model.when(word, (answer) =>
        answer.callTool('exec', { command: `echo $$ > ${pidFile}; exec sleep 600` }),
      );
      const client = await stage.ada(version);
      const { id } = await sendForTask(client, sayAndLeave(`do ${word}`));
      await expect.poll(() => readPid(pidFile)).toBeGreaterThan(0);
      const sleeper = await readPid(pidFile);
      expect((await client.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
      await expect.poll(() => isAlive(sleeper)).toBe(false);
      expect((await client.get({ id })).status.state).toBe('TASK_STATE_CANCELED');
    });

    test.each([
      ['allow-once', 'It ran.'],
      ['deny', 'It did not run.'],
    ])('pauses for a tool approval, and continues after %s', async (decision, answered) => {
      const word = unique('permit');
      const command = `echo ran-${word}`;
      stage.model.when(word, (answer, { toolResults: [result] }) => {
        if (result === undefined) answer.callTool('exec', { command });
        else answer.text(result.trim() === `ran-${word}` ? 'It ran.' : 'It did not run.');
      });
      const client = await stage.driver({ key: CAREFUL, version });
      const asked = await sendForTask(client, say(`please ${word}`));
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const question = (asked.status.message?.parts ?? []).find(({ data }) => data !== undefined);
      expect(JSON.stringify(question)).toContain(command);
      const done = await sendForTask(client, say(decision, { taskId: asked.id, contextId: asked.contextId }));
      expect(done).toMatchObject({ id: asked.id, status: { state: 'TASK_STATE_COMPLETED' } });
      expect(saidAtTheEnd(done)).toBe(answered);
      expect(stage.model.requestsWith(word)).toHaveLength(2);
    });

    test('reports the result of a command once, with its output', async () => {
      const word = unique('list');
      stage.model.when(word, (answer, { toolResults: [result] }) => {
        if (result === undefined) answer.callTool('exec', { command: `echo out-${word}` });
        else answer.text('Listed.');
      });
      const client = await stage.ada(version);
      const updates = (await allEvents(client.stream(say(`do ${word}`)))).flatMap((event) =>
        'artifactUpdate' in event && event.artifactUpdate.artifact.artifactId.startsWith('tool-progress-')
          ? [event.artifactUpdate]
          : [],
      );
      const [last, ...others] = updates.toReversed();
      expect(last).toMatchObject({
        lastChunk: true,
        artifact: { parts: [{ data: { phase: 'result', status: 'completed' } }] },
      });
      expect(JSON.stringify(last)).toContain(`out-${word}`);
      expect(others.filter(({ lastChunk }) => lastChunk === true)).toEqual([]);
    });

    test('that may end in a plain message opens its stream at once, and is found if its caller leaves', async () => {
      const gate = unique('left');
      stage.model.when(gate, async (answer) => {
        await stage.gates.pass(gate);
        answer.text('Nobody is listening.');
      });
      const caller = new AbortController();
      const contextId = randomUUID();
      const [method, message] =
        version === '1.0'
          ? ['SendStreamingMessage', { role: 'ROLE_USER', parts: [{ text: `do ${gate}` }] }]
          : [
              'message/stream',
              { kind: 'message', role: 'user', parts: [{ kind: 'text', text: `do ${gate}` }] },
            ];
      const response = await fetch(`${stage.gateway.url}${pathsOf('peers').jsonRpcPath}`, {
        method: 'POST',
        signal: caller.signal,
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${ADA}`,
          ...(version === '1.0' && { 'A2A-Version': version }),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method,
          params: { message: { ...message, messageId: randomUUID(), contextId } },
        }),
      });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      await stage.gates.reached(gate);
      caller.abort();
      await expect(response.text()).rejects.toThrow();
      stage.gates.open(gate);
      const client = await stage.ada('1.0');
      const tasks = async (): Promise<Task[]> => (await client.list({ contextId })).tasks;
      await expect.poll(async () => (await tasks())[0]?.status.state).toBe('TASK_STATE_COMPLETED');
      expect((await tasks()).map(saidAtTheEnd)).toEqual(['Nobody is listening.']);
    });

    test('accepts and sends files if they are enabled', async () => {
      await writeFile(join(stage.gateway.home.workspace, 'dot.png'), Buffer.from(PICTURE, 'base64'));
      stage.model.when('a picture', (answer) => answer.text('Here it is.\nMEDIA:./dot.png'));
      const client = await stage.driver({ account: 'files', key: ADA, version });
      const drawn = await sendForTask(client, say('draw a picture'));
      expect(drawn.status.state).toBe('TASK_STATE_COMPLETED');
      expect(saidAtTheEnd(drawn)).toContain('Here it is.');
      const parts = (drawn.artifacts ?? []).flatMap((artifact) => artifact.parts);
      expect(parts).toContainEqual(expect.objectContaining({ raw: PICTURE, mediaType: 'image/png' }));

      const milk = unique('milk');
      stage.model.when('this list', (answer) => answer.text('Read.'));
      const content = Buffer.from(`honey and ${milk}`).toString('base64');
      const file = { raw: content, mediaType: 'text/plain', filename: 'list.txt' };
      const read = await sendForTask(client, say('', { parts: [{ text: 'read this list' }, file] }));
      expect(read.status.state).toBe('TASK_STATE_COMPLETED');
      expect(stage.model.requestsWith('this list').at(-1)?.userText).toContain(milk);
    });

    test('waits for the previous turn of its context, and for no other', async () => {
      const [first, second] = [unique('first'), unique('second')];
      for (const gate of [first, second]) {
        stage.model.when(gate, async (answer) => {
          await stage.gates.pass(gate);
          answer.text(`Answer to ${gate}.`);
        });
      }
      const client = await stage.anonymous(version);
      const contextId = randomUUID();
      const before = await sendForTask(client, sayAndLeave(`do ${first}`, { contextId }));
      const after = await sendForTask(client, sayAndLeave(`do ${second}`, { contextId }));
      const elsewhere = await sendForTask(client, sayAndLeave(`do ${second}`, { contextId: randomUUID() }));
      const completed = async ({ id }: Task): Promise<Task> => {
        await expect.poll(async () => (await client.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');
        return client.get({ id });
      };
      await stage.gates.reached(first);
      stage.gates.open(second);
      expect(saidAtTheEnd(await completed(elsewhere))).toBe(`Answer to ${second}.`);
      expect(stage.model.requestsWith(second)).toHaveLength(1);
      stage.gates.open(first);
      expect(saidAtTheEnd(await completed(before))).toBe(`Answer to ${first}.`);
      expect(saidAtTheEnd(await completed(after))).toBe(`Answer to ${second}.`);
      expect(stage.model.requestsWith(second)[1]?.conversation).toContain(`Answer to ${first}.`);
    });
  });
}

function saidAtTheEnd({ status }: Task): string {
  return textOf((status.message?.parts ?? []).filter(({ text }) => text !== undefined));
}

async function readPid(file: string): Promise<number> {
  return Number(await readFile(file, 'utf8').catch(() => '0'));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
