import { CliAgent, execProfile } from '@parley/runtime/cli-agent';
import { openMemoryStore } from '@parley/store';

export default await CliAgent.open({
  profile: {
    ...execProfile({ command: 'wc -w' }),
    card: { name: 'Word counter', description: 'Counts the words of a message.' },
  },
  processFolder: '.parley/processes',
  sessions: openMemoryStore(),
  timeoutMilliseconds: 10_000,
});
