import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createRemoteAgent, readConfig } from '@holdword/openclaw-a2a-outbound/internal';
import { ECHO_REQUEST, ECHO_TEXT } from '../peers/work.ts';
import type { Caller } from './caller.ts';

/** The tool `remote_agent` as OpenClaw calls it, with its state on disk. */
export async function openToolCaller(origin: string, dataFolder: string): Promise<Caller> {
  const targets = [{ alias: 'echo', baseUrl: origin, default: true }];
  const remoteAgent = createRemoteAgent({
    config: readConfig({ enabled: true, targets }),
    stateFolder: await mkdtemp(join(dataFolder, 'remote-agent-')),
  });
  const request = { action: 'send', parts: [{ kind: 'text', text: ECHO_REQUEST }] };
  return {
    async call() {
      const { content } = await remoteAgent.execute(`call-${randomUUID()}`, request);
      const answer = content[0]?.text ?? '';
      if (!answer.includes(ECHO_TEXT))
        throw new Error(`Expected "${ECHO_TEXT}", received ${answer.slice(0, 400)}.`);
    },
    [Symbol.asyncDispose]: () => remoteAgent.close(),
  };
}
