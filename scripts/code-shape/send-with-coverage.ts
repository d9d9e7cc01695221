// Serves the demo agent from SQLite in this process, warms it up, and prints which product files every further SendMessage
// runs code in, as V8's precise coverage sees it. A timer that fires during one of them is not part of a send.
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completeConfig } from '../../packages/cli/src/config/resolve-config.ts';
import { startServer } from '../../packages/cli/src/serving/start-server.ts';
import { isProduct, pathOf } from './read-sources.ts';

const WARM_UP_SENDS = 200;
const MEASURED_SENDS = 5;
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

const folder = await mkdtemp(join(tmpdir(), 'holdword-send-'));
const config = completeConfig(
  { port: 0, grpcPort: 'off', data: folder },
  { environment: {}, workingFolder: folder, terminal: { errorsAreWatched: false } },
);
const server = await startServer(config, 'holdword keys add NAME', QUIET);
const url = server.announcement.jsonRpcUrl;
for (let sent = 0; sent < WARM_UP_SENDS; sent += 1) await send();

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await filesRunBySend();
let files = [...(await filesRunBySend())];
for (let sent = 1; sent < MEASURED_SENDS; sent += 1) {
  const ran = await filesRunBySend();
  files = files.filter((file) => ran.has(file));
}
session.disconnect();
console.log(JSON.stringify(files.toSorted()));
await server.stop(0);
await rm(folder, { recursive: true });

/** Product files that ran code since the last call, in which a message was sent. */
async function filesRunBySend(): Promise<Set<string>> {
  await send();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return new Set(
    result
      .filter(
        ({ url: script }) => script.startsWith('file:') && isProduct(script) && script.includes('/packages/'),
      )
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url: script }) => pathOf(fileURLToPath(script))),
  );
}

async function send(): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: {
        message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text: 'echo hello' }] },
      },
    }),
  });
  const answer = await response.text();
  if (!answer.includes('TASK_STATE_COMPLETED')) throw new Error(`The send failed: ${answer}`);
}
