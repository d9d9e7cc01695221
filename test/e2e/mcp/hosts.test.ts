import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { ReaderMachine } from '../../docs/reader-machine.ts';
import { spawnHoldword } from '../../support/spawn-holdword.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'connect-an-mcp-host.md');
const SHOWN = {
  node: '/usr/local/bin/node',
  command: '/usr/local/bin/holdword',
  agents: '/home/you/project/agents.json',
};

/** The command that the page tells hosts to run, as arguments. */
function commandsOn(page: string): string[][] {
  const settings = [...page.matchAll(/"command":\s*"([^"]+)",\s*"args":\s*(\[[^\]]*\])/g)].map(
    ([, command = '', words = '[]']): string[] => [command, ...JSON.parse(words)],
  );
  const lines = [...page.matchAll(/^claude mcp add holdword -- (.*)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
  return [...settings, ...lines];
}

test('the documented command for hosts works without the PATH of a shell', { timeout: 300_000 }, async () => {
  const commands = commandsOn(await readFile(PAGE, 'utf8'));
  expect(commands.length).toBeGreaterThanOrEqual(4);
  const different = new Set(commands.map((words) => words.join(' ')));
  expect([...different]).toEqual([`${SHOWN.node} ${SHOWN.command} mcp --agents ${SHOWN.agents}`]);

  const machine = await ReaderMachine.open();
  onTestFinished(() => machine.close());
  await machine.installGlobally('npm install --global @holdword/cli\n');
  const demo = await spawnHoldword(['--store', 'memory']);
  onTestFinished(() => demo.kill());
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'agents.json');
  await writeFile(file, JSON.stringify({ demo: { url: demo.target.baseUrl } }));

  const real = {
    [SHOWN.node]: process.execPath,
    [SHOWN.command]: machine.commandPath('holdword'),
    [SHOWN.agents]: file,
  };
  const [command = '', ...words] = commands[0]?.map((word) => real[word] ?? word) ?? [];
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command, args: words, env: { PATH: '' }, stderr: 'ignore' }),
  );
  onTestFinished(() => client.close());
  expect(await client.callTool({ name: 'getAgents', arguments: {} })).toMatchObject({
    content: [{ text: expect.stringContaining('Holdword demo agent') }],
  });
});
