import { existsSync } from 'node:fs';
import { install } from './install.mjs';
import { lockHash, readStamp, writeStamp } from './install-stamp.mjs';
import { inWorkspace, workspaceFolder } from './workspace.mjs';

/**
 * Installs the dependencies when the lock file has changed since the last time or development tools are wanted and
 * absent. Otherwise it costs one hash of the lock file.
 */
export async function ensureInstalled({ developmentTools }) {
  const lock = lockHash(workspaceFolder);
  const stamp = readStamp(workspaceFolder);
  if (stamp.lock === lock && (stamp.developmentTools || !developmentTools)) return;

  // Tools that are there stay there: npm would otherwise remove them under a test run.
  const withTools = developmentTools || existsSync(inWorkspace('node_modules', 'vitest'));
  await install({
    folder: workspaceFolder,
    what: `dependencies${withTools ? ' and development tools' : ''}`,
    npmArguments: [withTools ? '--include=dev' : '--omit=dev'],
  });
  writeStamp(workspaceFolder, { lock, developmentTools: withTools });
}
