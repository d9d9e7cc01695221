// Runs a development tool, or with --run a TypeScript file, on the pinned Node:
//   node scripts/with-node.mjs [--env NAME=VALUE]... TOOL [ARGUMENT]...
//   node scripts/with-node.mjs [--env NAME=VALUE]... --run FILE [ARGUMENT]...
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { findNode } from './lib/find-node.mjs';
import { runChild } from './lib/run-child.mjs';
import { toolPath } from './lib/tool-path.mjs';

const rest = process.argv.slice(2);
const environment = { ...process.env };
while (rest[0] === '--env') {
  const [name, value] = rest[1].split(/=(.*)/s);
  environment[name] = value;
  rest.splice(0, 2);
}

await ensureInstalled({ developmentTools: true });
const script = rest[0] === '--run' ? rest.splice(0, 2)[1] : toolPath(rest.shift());
process.exitCode = await runChild(findNode(), [script, ...rest], { env: environment });
