import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestPostgres } from '@holdword/store/testing/postgres';
import { spawnHoldword, type ServedHoldword } from '../../support/spawn-holdword.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { FileGate } from './file-gate.ts';

const AGENT = fileURLToPath(new URL('./gated-agent.ts', import.meta.url));
const CONFIG = {
  leaseSeconds: 3,
  graceSeconds: 0,
  push: { allowPrivate: ['127.0.0.0/8'], timeoutSeconds: 1 },
};

/** Servers of one agent on one database, each in a separate process. */
export interface Replicas {
  start(): Promise<ServedHoldword>;
  /** A gate that no other test uses. */
  newGate(): FileGate;
  remove(): Promise<void>;
}

/** Prepares replicas on a separate schema; `start` starts one more each time. */
export async function prepareReplicas({ url, newSchema }: TestPostgres): Promise<Replicas> {
  const folder = await temporaryFolder();
  const config = join(folder.path, 'holdword.config.json');
  await writeFile(config, JSON.stringify(CONFIG));
  const environment = { HOLDWORD_STORE: url, HOLDWORD_STORE_SCHEMA: newSchema() };
  const started: Promise<ServedHoldword>[] = [];
  let replicas = 0;
  let gates = 0;
  return {
    start() {
      const data = join(folder.path, `replica-${(replicas += 1)}`);
      const holdword = spawnHoldword(['--config', config, '--agent', AGENT, '--data', data], { environment });
      started.push(holdword);
      return holdword;
    },
    newGate: () => new FileGate(join(folder.path, `gate-${(gates += 1)}`)),
    async remove() {
      // Including those that are still starting, because another one did not start.
      const outcomes = await Promise.allSettled(started);
      const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      await Promise.all(running.map((holdword) => holdword.kill()));
      await folder.remove();
    },
  };
}
