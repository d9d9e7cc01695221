// Serves the demo agent from SQLite in this process, warms it up, and prints which product files one more SendMessage runs
// code in, as V8's precise coverage sees it.
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completeConfig } from '../../packages/cli/src/config/resolve-config.ts';
import { startServer } from '../../packages/cli/src/serving/start-server.ts';
import { isProduct, pathOf } from './read-sources.ts';

const WARM_UP_SENDS = 200;
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
await send();
await session.post('Profiler.takePreciseCoverage');
await send();
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();

const files = result
  .filter(
    ({ url: script }) => script.startsWith('file:') && isProduct(script) && script.includes('/packages/'),
  )
  .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
  .map(({ url: script }) => pathOf(fileURLToPath(script)));
console.log(JSON.stringify(files.toSorted()));
await server.stop(0);
await rm(folder, { recursive: true });

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
