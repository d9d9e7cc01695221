// Installs the OpenClaw that the tests run against, when its lock file has changed since the last time. It is half a
// gigabyte that nobody needs to run Holdword, so it has a folder and a lock file of its own.
import { spawnSync } from 'node:child_process';
import { install } from './lib/install.mjs';
import { lockHash, readStamp, writeStamp } from './lib/install-stamp.mjs';
import { inWorkspace } from './lib/workspace.mjs';

const folder = inWorkspace('test', 'openclaw');
const lock = lockHash(folder);

if (readStamp(folder).lock !== lock) {
  await install({ folder, what: 'OpenClaw for the tests', npmArguments: ['--ignore-scripts'] });
  // Its first start completes the installation: better now and alone than in several tests at once.
  const first = spawnSync(
    inWorkspace('node_modules', 'node', 'bin', 'node'),
    [inWorkspace('test', 'openclaw', 'node_modules', 'openclaw', 'openclaw.mjs'), '--version'],
    { encoding: 'utf8' },
  );
  if (first.status !== 0) {
    process.stderr.write(`OpenClaw was installed but does not start:\n${first.stdout}${first.stderr}`);
    process.exit(1);
  }
  writeStamp(folder, { lock });
}
