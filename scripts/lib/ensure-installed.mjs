import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inWorkspace, workspaceFolder } from './workspace.mjs';

const STAMP = inWorkspace('node_modules', '.parley-installed.json');

/**
 * Installs the dependencies when the lock file has changed since the last time or development tools are wanted and
 * absent. Otherwise it costs one hash of the lock file.
 */
export function ensureInstalled({ developmentTools }) {
  const lock = createHash('sha256')
    .update(readFileSync(inWorkspace('package-lock.json')))
    .digest('hex');
  const stamp = readStamp();
  if (stamp.lock === lock && (stamp.developmentTools || !developmentTools)) return;

  // Tools that are there stay there: npm would otherwise remove them under a test run.
  const withTools = developmentTools || existsSync(inWorkspace('node_modules', 'vitest'));
  install(withTools);
  writeFileSync(STAMP, JSON.stringify({ lock, developmentTools: withTools }));
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

function install(withTools) {
  const began = Date.now();
  process.stderr.write(`Installing dependencies${withTools ? ' and development tools' : ''}, once...\n`);
  // `install` and not `ci`: ci empties node_modules first, under the feet of a server that runs from it.
  const result = runNpm([
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    // Hides the engine warnings of tools that run on the pinned Node, not on the machine's.
    '--loglevel=error',
    withTools ? '--include=dev' : '--omit=dev',
  ]);
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    process.stderr.write(
      `\nThe dependencies could not be installed: npm ended with ${result.status ?? result.error?.message}.\n` +
        'See its message above. If the registry could not be reached, check the network and try again.\n',
    );
    process.exit(1);
  }
  process.stderr.write(`Installed in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
}

function runNpm(npmArguments) {
  const options = { cwd: workspaceFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const npm = process.env['npm_execpath'];
  if (npm?.endsWith('.js')) return spawnSync(process.execPath, [npm, ...npmArguments], options);
  return spawnSync('npm', npmArguments, { ...options, shell: process.platform === 'win32' });
}
