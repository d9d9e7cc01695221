import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { collectingLog } from '../../../engine/testing/start-test-engine.ts';
import {
  startTestOperations,
  type TestOperations,
} from '../../../operations/testing/start-test-operations.ts';
import { FAKE_CLI } from '../../child-process/testing/fake-cli.ts';
import { CliAgent } from '../cli-agent.ts';
import type { CliAgentOptions } from '../cli-agent-options.ts';
import type { CliProfile } from '../profile.ts';
import { execProfile } from '../profiles/exec.ts';

export interface TestCliAgent extends TestOperations {
  readonly folder: string;
  readonly processFolder: string;
  readonly store: Store;
  readonly agentLogged: string[];
}

/** A profile whose program does what the message says; see fake-cli.sh. */
export function fakeProfile(stream = false): CliProfile {
  return execProfile({ command: `/bin/sh '${FAKE_CLI}' {prompt}`, stream });
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-cli-agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An agent on a real engine in a temporary folder; it ends with the test. */
export async function startCliAgent(
  profile: CliProfile,
  options: Partial<CliAgentOptions> & { store?: Store } = {},
): Promise<TestCliAgent> {
  const folder = await temporaryFolder();
  const processFolder = join(folder, 'processes');
  const { store = openMemoryStore(), ...settings } = options;
  const agentLogged: string[] = [];
  const agent = await CliAgent.open({
    profile,
    processFolder,
    sessions: store,
    log: collectingLog(agentLogged),
    workingDirectory: { fixed: folder },
    graceMilliseconds: 100,
    ...settings,
  });
  onTestFinished(() => agent.close());
  const started = await startTestOperations(agent, { store });
  return { ...started, folder, processFolder, store, agentLogged };
}
