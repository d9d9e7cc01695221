import { FAKE_OPENCLAW } from '@holdword/runtime/testing/adapter';
import { expect, onTestFinished, test } from 'vitest';
import { runExample } from '../../test/support/run-example.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

test('OpenClaw is served, polled with the other example, and stopped', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  const server = runExample('serve-openclaw/serve-openclaw.mjs', ['0', FAKE_OPENCLAW], { cwd });
  const [, url = ''] = await server.printed(/OpenClaw Agent is ready at (\S+), via its command line\./);

  const client = runExample('poll-a-task/poll-a-task.mjs', [url, 'Write a hello world function']);
  expect(await client.ended).toBe(0);
  expect(client.output()).toContain('Response: You said: Write a hello world function');

  expect(await server.stop()).toBe(0);
});
