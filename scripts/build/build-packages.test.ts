import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildPackages } from './build-packages.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/**
 * A folder with the built packages installed from their tarballs. It lies inside the workspace, so that what they depend
 * on is found without a network.
 */
async function installBuilt(): Promise<string> {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'installed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const built = await buildPackages(join(folder, 'built'));
  await Promise.all(
    built.map(async ({ name, folder: source }) => {
      const { stdout } = await run(
        'npm',
        ['pack', '--json', '--loglevel=error', '--pack-destination', source],
        {
          cwd: source,
        },
      );
      const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
      const target = join(folder, 'node_modules', name);
      await mkdir(target, { recursive: true });
      await run('tar', ['-xzf', join(source, filename), '-C', target, '--strip-components=1']);
    }),
  );
  return folder;
}

test('the packed packages run, and their types fit', { timeout: 120_000 }, async () => {
  const folder = await installBuilt();
  const files = await readdir(join(folder, 'node_modules'), { recursive: true });
  expect(files.filter((file) => /\.test\.|testing/.test(file))).toEqual([]);

  const holdword = spawn(
    process.execPath,
    [
      join(folder, 'node_modules', '@holdword', 'cli', 'dist', 'main.js'),
      'serve',
      '--port',
      '0',
      '--data',
      join(folder, 'data'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(holdword, 'close');
  onTestFinished(() => void holdword.kill('SIGKILL'));
  let output = '';
  for await (const chunk of holdword.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes('Press Ctrl-C to stop.')) break;
  }
  const curl = /curl -s .*/.exec(output)?.[0] ?? '';
  const answer = await run('sh', ['-c', curl]);
  expect(JSON.parse(answer.stdout).result.task.status.state).toBe('TASK_STATE_COMPLETED');
  holdword.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);

  await writeFile(
    join(folder, 'agent.mts'),
    `import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
     import { openSqliteStore, type Executor } from '@holdword/runtime';
     import { loadAgent } from '@holdword/runtime/adapter';
     const agent: Executor = { async execute(turn, sink) { await sink.complete(turn.taskId); } };
     export default [agent, openSqliteStore, loadAgent, new A2ATools(new A2ASession(new A2AAgents()))];`,
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // As in any project on Node: its types are there.
  const check = [
    '--noEmit',
    '--strict',
    '--types',
    'node',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    'agent.mts',
  ];
  await run(process.execPath, [tsc, '--ignoreConfig', ...check], { cwd: folder });
});
