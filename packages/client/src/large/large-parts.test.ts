import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part, Task } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { LargeParts } from './large-parts.ts';

const LIMITS = {
  maxBytes: 10_000,
  tooLarge: () => new Error('too large'),
  maxValues: 10_000,
  tooManyValues: () => new Error('too many values'),
};

async function openParts(maxResultBytes = 1_000_000): Promise<{ parts: LargeParts; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-parts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { parts: new LargeParts({ folder, maxResultBytes }), folder };
}

async function* chunksOf(json: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < json.length; at += 10_000) yield Buffer.from(json.slice(at, at + 10_000));
}

/** Receives a task with one artifact. */
async function receive(parts: LargeParts, given: readonly Part[]): Promise<Part[]> {
  const status = { state: 'TASK_STATE_COMPLETED' };
  const task = { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a', parts: given }] };
  const json = await parts.receive([], chunksOf(JSON.stringify(task)), LIMITS);
  return parts.resolve(JSON.parse(json) as Task).artifacts?.[0]?.parts ?? [];
}

test('a part names the file that has its content', async () => {
  const { parts } = await openParts();
  const text = 'x'.repeat(100_000);
  const [part, other] = await receive(parts, [{ text, metadata: { own: 1 } }, { url: 'https://a.example' }]);
  expect(part).toEqual({
    url: expect.stringMatching(/^file:.*\.txt$/) as string,
    mediaType: 'text/plain',
    metadata: { own: 1, 'urn:holdword:client:large-part:v1': { kind: 'text', bytes: 100_000 } },
  });
  expect(other).toEqual({ url: 'https://a.example' });
  expect(await readFile(new URL(part?.url ?? ''), 'utf8')).toBe(text);
  expect(await parts.find(part?.url)).toMatchObject({ kind: 'text', bytes: 100_000 });
});

test('the oldest files are deleted, and are known to be gone', async () => {
  const { parts, folder } = await openParts(200_000);
  const urls: (string | undefined)[] = [];
  for (let round = 0; round < 12; round += 1) {
    urls.push((await receive(parts, [{ text: 'x'.repeat(100_000) }]))[0]?.url);
  }
  expect(await readdir(folder)).toHaveLength(8);
  expect(await parts.find(urls[0])).toBeUndefined();
  expect(await parts.find(urls[11])).toBeDefined();
  const metadata = { 'urn:holdword:client:large-part:v1': {} };
  expect([await parts.isGone(urls[0], metadata), await parts.isGone(urls[11], metadata)]).toEqual([
    true,
    false,
  ]);
});

test('a response that fails leaves no file', async () => {
  const { parts, folder } = await openParts(150_000);
  await expect(receive(parts, [{ text: 'x'.repeat(300_000) }])).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
    message: expect.stringContaining('exceeds the limit of 150000 bytes') as string,
  });
  expect(await readdir(folder)).toEqual([]);
});

test.each(['file:///etc/passwd', 'file://%zz', 'https://a.example', undefined])(
  '%s is not one of its files',
  async (uri) => {
    const { parts } = await openParts();
    expect(await parts.find(uri)).toBeUndefined();
  },
);

test('a name that leaves the folder is not one of its files', async () => {
  const { parts, folder } = await openParts();
  const [part] = await receive(parts, [{ text: 'x'.repeat(100_000) }]);
  const name = (part?.url ?? '').split('/').at(-1) ?? '';
  expect(await parts.find(`file://${folder}/../${folder.split('/').at(-1)}/${name}`)).toBeDefined();
  expect(await parts.find(`file://${folder}/x/${name}`)).toBeUndefined();
  expect(await parts.find(`file://${folder}x/${name}`)).toBeUndefined();
});
