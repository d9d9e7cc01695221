import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword, type ServedHoldword } from '../support/spawn-holdword.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { SCALE } from './scale.ts';
import { printSummary } from './summary.ts';

watchForLeaks();

const AGENT = fileURLToPath(new URL('./fixtures/large-agent.ts', import.meta.url));
const HEAP_MEBIBYTES = 96;
/** The heap, the code and the buffers of the store and of the readers; the task alone is as large in the short run. */
const MOST_RESIDENT_MEBIBYTES = 420;
/** How much longer others may wait while the readers read. The machine that runs the tests has few cores. */
const MOST_SLOWDOWN = 20;
const USUAL_MILLISECONDS = 200;

const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };

function serve(folder: string): Promise<ServedHoldword> {
  const config = join(folder, 'config.json');
  return spawnHoldword(['--agent', AGENT, '--data', join(folder, 'data'), '--config', config], {
    cwd: folder,
    nodeArguments: [`--max-old-space-size=${HEAP_MEBIBYTES}`],
  });
}

async function send(url: string, text: string, returnImmediately: boolean): Promise<string> {
  const response = await fetch(`${url}/message:send`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }] },
      configuration: { returnImmediately, historyLength: 0 },
    }),
  });
  return ((await response.json()) as { task: { id: string } }).task.id;
}

async function stateOf(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/tasks?pageSize=1`, { headers: HEADERS });
  const page = (await response.json()) as { tasks: { status: { state: string } }[] };
  return page.tasks[0]?.status.state;
}

/** The size and the digest of an answer, which is not kept. */
async function read(url: string): Promise<{ bytes: number; digest: string }> {
  const response = await fetch(url, { headers: HEADERS });
  expect(response.status).toBe(200);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, digest: hash.digest('hex') };
}

/** In mebibytes. */
function peak(server: ServedHoldword): number {
  return (server.process.peakResidentBytes() ?? 0) / 1024 / 1024;
}

/** Sends small messages until `work` is done, and returns the longest that one took. */
async function longestSend(url: string, work: Promise<unknown>): Promise<number> {
  const end = new AbortController();
  const done = work.finally(() => end.abort());
  let longest = 0;
  while (!end.signal.aborted) {
    const startedAt = performance.now();
    await send(url, '0', false);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  await done;
  return longest;
}

/** J5, and for answers too: what is sent costs memory, not what there is. */
test(
  `a task of ${SCALE.largeTaskMebibytes} MiB is written, read and recovered in a heap of ${HEAP_MEBIBYTES} MiB`,
  { timeout: 1_800_000 },
  async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const limits = { taskBytes: 2 * SCALE.largeTaskMebibytes * 1024 * 1024 };
    await writeFile(join(folder.path, 'config.json'), JSON.stringify({ limits }));
    let server = await serve(folder.path);
    onTestFinished(() => server.kill());
    let url = server.target.restUrl;
    const taskId = await send(url, String(SCALE.largeTaskMebibytes), true);
    await expect.poll(() => stateOf(url), { timeout: 900_000, interval: 200 }).toBe('TASK_STATE_COMPLETED');
    const written = peak(server);

    const usual = await longestSend(url, new Promise((resolve) => setTimeout(resolve, 2_000)));
    const reading = Promise.all(
      Array.from({ length: SCALE.largeTaskReaders }, () => read(`${url}/tasks/${taskId}`)),
    );
    const longest = await longestSend(url, reading);
    const answers = await reading;
    expect(answers[0]?.bytes).toBeGreaterThan(SCALE.largeTaskMebibytes * 1024 * 1024);
    expect(new Set(answers.map(({ digest }) => digest)).size).toBe(1);
    expect(longest).toBeLessThan(Math.max(usual, USUAL_MILLISECONDS) * MOST_SLOWDOWN);
    await read(`${url}/tasks?includeArtifacts=true&pageSize=100`);
    const shared = peak(server);

    // Another one, which the server leaves behind.
    await send(url, String(SCALE.largeTaskMebibytes), true);
    await expect.poll(() => stateOf(url), { timeout: 60_000 }).toBe('TASK_STATE_WORKING');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await server.kill();
    server = await serve(folder.path);
    url = server.target.restUrl;
    expect(await stateOf(url)).toBe('TASK_STATE_FAILED');
    expect(await read(`${url}/tasks/${taskId}`)).toEqual(answers[0]);
    const afterRestart = peak(server);
    await server.stop();

    for (const mebibytes of [written, shared, afterRestart]) {
      expect(mebibytes).toBeLessThan(MOST_RESIDENT_MEBIBYTES);
    }
    printSummary('Large tasks: written, read and recovered in bounded memory', {
      'size of the task in MiB': SCALE.largeTaskMebibytes,
      'peak memory while it was written, in MiB': Math.round(written),
      [`peak memory with ${SCALE.largeTaskReaders} readers, in MiB`]: Math.round(shared),
      'peak memory after a restart, in MiB': Math.round(afterRestart),
      'longest send of another caller before, in ms': Math.round(usual),
      'longest send of another caller meanwhile, in ms': Math.round(longest),
    });
  },
);
