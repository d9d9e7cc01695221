import { existsSync } from 'node:fs';
import { inWorkspace } from './workspace.mjs';

/** The first Node that runs TypeScript files as they are. */
const OLDEST_USABLE = [22, 18];

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
  if (!isUsable(process.versions.node)) refuse();
  return process.execPath;
}

function refuse() {
  process.stderr.write(
    `Holdword needs Node ${OLDEST_USABLE.join('.')} or newer; this is ${process.versions.node}, and the Node that comes ` +
      'with the dependencies is missing.\nRemove the folder node_modules and run the command again.\n',
  );
  process.exit(1);
}

export function isUsable(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_USABLE[0] || (major === OLDEST_USABLE[0] && minor >= OLDEST_USABLE[1]);
}
