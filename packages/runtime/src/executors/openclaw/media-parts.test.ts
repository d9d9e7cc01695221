import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mediaPart, mediaTypeOfFile, mediaTypeOfUrl, readProducedFile } from './media-parts.ts';

test.each([
  ['https://example.com/image.png', 'image/png'],
  ['https://example.com/photo.JPG?size=large&name=x.pdf', 'image/jpeg'],
  ['https://example.com/a.jpeg', 'image/jpeg'],
  ['https://example.com/a.gif#top', 'image/gif'],
  ['https://example.com/a.webp', 'image/webp'],
  ['https://example.com/a.svg', 'image/svg+xml'],
  ['https://example.com/a.pdf', 'application/pdf'],
  ['https://example.com/a.mp4', 'video/mp4'],
  ['https://example.com/a.webm', 'video/webm'],
  ['https://example.com/a.mp3', 'audio/mpeg'],
  ['https://example.com/a.wav', 'audio/wav'],
  ['https://example.com/download?file=a.png', 'application/octet-stream'],
])('%s is %s', (url, mediaType) => {
  expect(mediaTypeOfUrl(new URL(url))).toBe(mediaType);
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test.each([
  ['content, not its name', 'notes.txt', PNG, 'image/png'],
  ['name if the content is not recognized', 'table.csv', Buffer.from('a,b'), 'text/csv'],
  ['name if the content is XML', 'a.svg', Buffer.from('<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
  ['default if neither is recognized', 'data', Buffer.from('?'), 'application/octet-stream'],
])('the type of a file comes from its %s', async (_, name, content, mediaType) => {
  expect(await mediaTypeOfFile(name, content)).toBe(mediaType);
});

async function folders(): Promise<{ workspace: string; media: string; outside: string }> {
  const root = await mkdtemp(join(tmpdir(), 'holdword-produced-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [workspace, media, outside] = ['workspace', 'state/media', 'outside'].map((name) => join(root, name));
  for (const folder of [workspace, media, outside]) await mkdir(folder as string, { recursive: true });
  return { workspace: workspace as string, media: media as string, outside: outside as string };
}

test('reads files in the folders by relative and absolute paths', async () => {
  const { workspace, media } = await folders();
  await mkdir(join(workspace, 'charts'));
  await writeFile(join(workspace, 'charts', 'a.txt'), 'chart');
  await writeFile(join(media, 'b.txt'), 'sent');
  const files = { folders: [workspace, media], maxBytes: 100 };
  expect(String(await readProducedFile('./charts/a.txt', files))).toBe('chart');
  expect(String(await readProducedFile(join(media, 'b.txt'), files))).toBe('sent');
});

test.each([
  ['a file elsewhere', (outside: string) => join(outside, 'key'), 'not allowed to send it'],
  ['a path that leads out', () => '../outside/key', 'not allowed to send it'],
  ['a link that leads out', () => 'link', 'not allowed to send it'],
  ['a folder link that leads out', () => 'folder/key', 'not allowed to send it'],
  ['a sibling folder with the same prefix', () => '../workspace-2/key', 'not allowed to send it'],
  ['a hidden file', () => '.env', 'not allowed to send it'],
  ['a file in a hidden folder', () => '.git/config', 'not allowed to send it'],
  ['a folder', () => 'charts', 'not a regular file'],
  ['a pipe', () => 'pipe', 'not a regular file'],
  ['a device', () => '/dev/zero', 'not allowed to send it'],
  ['a file that is too large', () => 'large', 'larger than 100 bytes'],
  ['a file that is missing', () => 'missing', 'not found'],
])('does not read %s', async (_, nameIn, reason) => {
  const { workspace, outside } = await folders();
  for (const folder of ['charts', '.git', '../workspace-2']) await mkdir(join(workspace, folder));
  for (const name of ['.env', '.git/config', '../workspace-2/key', '../outside/key']) {
    await writeFile(join(workspace, name), 'secret');
  }
  await writeFile(join(workspace, 'large'), 'x'.repeat(101));
  await symlink(join(outside, 'key'), join(workspace, 'link'));
  await symlink(outside, join(workspace, 'folder'));
  execFileSync('mkfifo', [join(workspace, 'pipe')]);
  const reading = readProducedFile(nameIn(outside), { folders: [workspace], maxBytes: 100 });
  await expect(reading).rejects.toThrow(reason);
});

test('no folder, or the root folder, allows nothing', async () => {
  const { outside } = await folders();
  await writeFile(join(outside, 'key'), 'secret');
  for (const allowed of [[], ['/']]) {
    const reading = readProducedFile(join(outside, 'key'), { folders: allowed, maxBytes: 100 });
    await expect(reading).rejects.toThrow('not allowed to send it');
  }
});

test.each([
  ['a blank', 'my%20report.txt', 'my report.txt'],
  ['another script', '%E6%97%A5%E6%9C%AC.txt', '日本.txt'],
  ['a percent sign', '100%25.txt', '100%.txt'],
])('a file URL with %s names the file as it is on disk', async (_, escaped, name) => {
  const { workspace } = await folders();
  await writeFile(join(workspace, name), 'text');
  expect(
    await mediaPart(`file://${workspace}/${escaped}`, { folders: [workspace], maxBytes: 100 }),
  ).toMatchObject({ filename: name, mediaType: 'text/plain', raw: 'dGV4dA==' });
});

test.each([
  ['https://example.com/my%20report.pdf?x=%20', 'my report.pdf'],
  ['https://example.com/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'passwd'],
  ['https://example.com/a%5Cb.png', 'b.png'],
  ['https://example.com/100%.png', '100%.png'],
])('%s is the file %s', async (url, filename) => {
  expect(await mediaPart(url, { folders: [], maxBytes: 1 })).toMatchObject({ url, filename });
});

test('a file URL that is not a path omits the file, not the answer', async () => {
  const { workspace } = await folders();
  const files = { folders: [workspace], maxBytes: 100 };
  expect(await mediaPart(`file://${workspace}/a%2Fb.txt`, files)).toEqual({
    name: 'b.txt',
    reason: 'its URL is not a valid path',
  });
  expect(await mediaPart(`file://${workspace}/a%00b.txt`, files)).toMatchObject({
    reason: 'it was not found',
  });
});

test('the limit that is named is the limit, not what is left of it', async () => {
  const { workspace } = await folders();
  await writeFile(join(workspace, 'a.txt'), '123456');
  const files = { folders: [workspace], maxBytes: 10 };
  expect(await mediaPart('a.txt', { ...files, usedBytes: 4 })).toMatchObject({ filename: 'a.txt' });
  expect(await mediaPart('a.txt', { ...files, usedBytes: 5 })).toEqual({
    name: 'a.txt',
    reason: 'the files of the answer are larger than 10 bytes together',
  });
});
