import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword } from '../../support/spawn-holdword.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectMcp } from './connect-mcp.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'connect-an-mcp-host.md');
const SHOWN_FILE = '/home/you/project/agents.json';

/** What the page tells hosts to run: each word of it. */
function commandsOn(page: string): string[][] {
  const settings = [...page.matchAll(/"command": ?"([^"]+)", ?"args": ?(\[[^\]]*\])/g)].map(
    ([, command = '', words = '[]']): string[] => [command, ...JSON.parse(words)],
  );
  const lines = [...page.matchAll(/^claude mcp add holdword -- (.*)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
  return [...settings, ...lines];
}

test('what hosts are told to run works', async () => {
  const commands = commandsOn(await readFile(PAGE, 'utf8'));
  expect(commands.length).toBeGreaterThanOrEqual(4);
  const different = new Set(commands.map((words) => words.join(' ')));
  expect([...different]).toEqual([`holdword mcp --agents ${SHOWN_FILE}`]);

  const demo = await spawnHoldword(['--store', 'memory']);
  onTestFinished(() => demo.kill());
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'agents.json');
  await writeFile(file, JSON.stringify({ demo: { url: demo.target.baseUrl } }));
  const [, , ...words] = commands[0]?.map((word) => (word === SHOWN_FILE ? file : word)) ?? [];
  const connection = await connectMcp(words, { carrier: 'stdio', era: 'legacy' });
  onTestFinished(() => connection.close());
  expect(await connection.client.callTool({ name: 'getAgents', arguments: {} })).toMatchObject({
    content: [{ text: expect.stringContaining('Holdword demo agent') }],
  });
});
