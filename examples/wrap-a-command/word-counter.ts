import { CliAgent, execProfile } from '@holdword/runtime/cli-agent';
import { openMemoryStore } from '@holdword/store';

export default await CliAgent.open({
  profile: {
    ...execProfile({ command: 'wc -w' }),
    card: { name: 'Word counter', description: 'Counts the words of a message.' },
  },
  processFolder: '.holdword/processes',
  sessions: openMemoryStore(),
  timeoutMilliseconds: 10_000,
});
