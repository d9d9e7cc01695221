import { CliAgent, execProfile, openMemoryStore } from '@holdword/runtime';

export default await CliAgent.open({
  profile: {
    ...execProfile({ command: 'wc -w' }),
    card: { name: 'Word counter', description: 'Counts the words of a message.' },
  },
  processFolder: '.holdword/processes',
  sessions: openMemoryStore(),
  timeoutMilliseconds: 10_000,
});
