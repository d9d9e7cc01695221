/** An agent for `holdword serve`: the fake command-line agent, whose processes are recorded in the server's data folder. */
import { join } from 'node:path';
import { CliAgent, execProfile } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { FAKE_COMMAND } from './fake-command.ts';

const dataFolder = process.argv[process.argv.indexOf('--data') + 1] ?? '';

export default await CliAgent.open({
  profile: execProfile({ command: FAKE_COMMAND.map((word) => `'${word}'`).join(' ') }),
  processFolder: join(dataFolder, 'processes'),
  sessions: openMemoryStore(),
});
