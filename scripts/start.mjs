// `npm start`: sets itself up, builds the page of the console if it has changed, then runs `holdword serve` with the arguments given after `--`.
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { findNode } from './lib/find-node.mjs';
import { NODE_FLAGS } from './lib/node-flags.mjs';
import { runChild } from './lib/run-child.mjs';
import { inWorkspace } from './lib/workspace.mjs';

await ensureInstalled({ developmentTools: false });
// The server runs without its page, too, and says how to build it.
await runChild(findNode(), [inWorkspace('scripts', 'build-console.ts')]);
process.exitCode = await runChild(
  findNode(),
  [...NODE_FLAGS, inWorkspace('packages', 'cli', 'src', 'main.ts'), 'serve', ...process.argv.slice(2)],
  {
    // Compiled code is kept: the next start takes half the time.
    env: { NODE_COMPILE_CACHE: inWorkspace('node_modules', '.cache', 'holdword'), ...process.env },
  },
);
