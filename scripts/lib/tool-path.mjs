import { readFileSync } from 'node:fs';
import { inWorkspace } from './workspace.mjs';

const PACKAGE_OF_TOOL = { tsc: 'typescript' };

/** The script behind a tool's name. The links in node_modules/.bin are shell scripts on Windows, so they do not do. */
export function toolPath(tool) {
  const name = PACKAGE_OF_TOOL[tool] ?? tool;
  const { bin } = JSON.parse(readFileSync(inWorkspace('node_modules', name, 'package.json'), 'utf8'));
  return inWorkspace('node_modules', name, typeof bin === 'string' ? bin : bin[tool]);
}
