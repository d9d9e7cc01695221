import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { collectingLog } from '../../../engine/testing/start-test-engine.ts';
import {
  startTestOperations,
  type TestOperations,
} from '../../../operations/testing/start-test-operations.ts';
import { temporaryFolder } from '../../cli-agent/testing/start-cli-agent.ts';
import { AcpAgent } from '../acp-agent.ts';
import type { AcpAgentOptions } from '../acp-options.ts';

const FAKE_AGENT = fileURLToPath(new URL('./fake-acp-agent.ts', import.meta.url));

export interface TestAcpAgent extends TestOperations {
  readonly agent: AcpAgent;
  readonly folder: string;
  readonly processFolder: string;
  readonly store: Store;
  readonly agentLogged: string[];
}

/** How the fake agent is started; the modes are in its source. */
export function fakeCommand(mode = ''): string {
  return `'${process.execPath}' '${FAKE_AGENT}' ${mode}`;
}

/** An agent on a real engine in a temporary folder; it ends with the test. */
export async function startAcpAgent(
  options: Partial<AcpAgentOptions> & { folder?: string; store?: Store } = {},
): Promise<TestAcpAgent> {
  const { store = openMemoryStore(), folder = await temporaryFolder(), ...settings } = options;
  const processFolder = join(folder, 'processes');
  const agentLogged: string[] = [];
  const agent = await AcpAgent.open({
    command: fakeCommand(),
    processFolder,
    sessions: store,
    log: collectingLog(agentLogged),
    workingDirectory: { fixed: folder },
    graceMilliseconds: 200,
    ...settings,
  });
  onTestFinished(() => agent.close());
  const started = await startTestOperations(agent, { store });
  return { ...started, agent, folder, processFolder, store, agentLogged };
}
