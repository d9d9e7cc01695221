import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { StreamResponse } from '@holdword/protocol';
import { outline } from '../../../engine/testing/read-journal.ts';
import { requestContext, readStream, send } from '../../../operations/testing/start-test-operations.ts';
import type { CliProfile } from '../profile.ts';
import { fakeProgram } from './fake-program.ts';
import { startCliAgent, temporaryFolder, type TestCliAgent } from './start-cli-agent.ts';

export interface Replay {
  /** The events of the task, in short. */
  readonly events: string[];
  readonly last: StreamResponse | undefined;
}

export interface ReplayedAgent {
  readonly agent: TestCliAgent;
  readonly say: (text: string, contextId?: string) => Promise<Replay>;
  /** The arguments and the stdin of each call. */
  readonly calls: () => Promise<string[]>;
}

/** An agent whose program is a script, in place of one that is not installed. */
export async function startReplay(
  profile: (program: string) => CliProfile,
  script: string,
): Promise<ReplayedAgent> {
  const calls = `${await temporaryFolder()}/calls`;
  const program = await fakeProgram(
    `printf '%s|' "$@" >>'${calls}'; cat >>'${calls}'; echo >>'${calls}'\n${script}`,
  );
  const agent = await startCliAgent(profile(program));
  return {
    agent,
    say: async (text, contextId) => {
      const request = send(text, contextId === undefined ? {} : { contextId });
      const { events } = await readStream(agent.operations.sendStreamingMessage(request, requestContext()));
      return { events: outline(events), last: events.at(-1) };
    },
    calls: async () => (await readFile(calls, 'utf8')).trimEnd().split('\n'),
  };
}

/** A command that prints a sample of the documented output of a program: `codex/answer`. */
export function printing(sample: string): string {
  return `cat '${fileURLToPath(new URL(`../profiles/samples/${sample}.jsonl`, import.meta.url))}'`;
}
