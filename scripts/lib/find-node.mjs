import { existsSync } from 'node:fs';
import { OLDEST_FOR_SOURCES, runsSources } from './supported-node.mjs';
import { inWorkspace } from './workspace.mjs';

/**
 * The Node that runs Holdword: the one pinned in package.json, so that every machine runs the same, or with
 * HOLDWORD_NODE=current the one that runs this script.
 */
export function findNode() {
  const pinned = inWorkspace(
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (process.env['HOLDWORD_NODE'] !== 'current' && existsSync(pinned)) return pinned;
  if (!runsSources(process.versions.node)) refuse();
  return process.execPath;
}

function refuse() {
  const current = process.env['HOLDWORD_NODE'] === 'current';
  process.stderr.write(
    `The sources of Holdword need Node ${OLDEST_FOR_SOURCES} or later; this is Node ${process.versions.node}. ` +
      (current
        ? 'Unset HOLDWORD_NODE to use the Node version pinned in package.json.\n'
        : 'The pinned Node is missing: delete the folder node_modules and run the command again.\n'),
  );
  process.exit(1);
}
