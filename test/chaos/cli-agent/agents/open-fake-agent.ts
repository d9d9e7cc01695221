import { join } from 'node:path';
import { CliAgent, execProfile } from '@holdword/runtime';
import { FAKE_CLI } from '@holdword/runtime/testing/child-process';
import { openMemoryStore } from '@holdword/store';

/** An agent whose program executes the message; see fake-cli.sh. It records its processes in the server's folder. */
export function openFakeAgent(timeoutMilliseconds: number): Promise<CliAgent> {
  return CliAgent.open({
    profile: execProfile({ command: `/bin/sh '${FAKE_CLI}' {prompt}` }),
    processFolder: join(process.cwd(), 'processes'),
    sessions: openMemoryStore(),
    maxProcesses: 1_000,
    graceMilliseconds: 300,
    timeoutMilliseconds,
  });
}
