import { spawnSync } from 'node:child_process';

/** Runs npm in a folder, the same npm that runs this script where there is one, and waits for its end. */
export function runNpm(folder, npmArguments) {
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const npm = process.env['npm_execpath'];
  if (npm?.endsWith('.js')) return spawnSync(process.execPath, [npm, ...npmArguments], options);
  return spawnSync('npm', npmArguments, { ...options, shell: process.platform === 'win32' });
}
