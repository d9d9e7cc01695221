// Installs the OpenClaw version that the tests use, if its lock file has changed. It takes half a gigabyte and is not
// needed to run Holdword, so it has a separate folder and lock file.
import { spawnSync } from 'node:child_process';
import { install } from './lib/install.mjs';
import { lockHash, readStamp, writeStamp } from './lib/install-stamp.mjs';
import { inWorkspace } from './lib/workspace.mjs';

const folder = inWorkspace('test', 'openclaw');
const lock = lockHash(folder);

if (readStamp(folder).lock !== lock) {
  await install({ folder, what: 'OpenClaw for the tests', npmArguments: ['--ignore-scripts'] });
  // Its first start completes the installation: do that here, not in several tests at once.
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
