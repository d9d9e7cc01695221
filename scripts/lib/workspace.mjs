import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, package-lock.json and node_modules. */
export const workspaceFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function inWorkspace(...segments) {
  return join(workspaceFolder, ...segments);
}
