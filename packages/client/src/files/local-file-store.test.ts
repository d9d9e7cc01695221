import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Artifact, Part } from '@holdword/protocol';
import { coreArtifactToV03 } from '@holdword/protocol/internal';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWebServer } from '../testing/start-web-server.ts';
import { FilesNotSavedError, isFilesNotSavedError } from './file-store.ts';
import { fileNames } from './file-names.ts';
import { LocalFileStore } from './local-file-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdword-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

function raw(content: string, filename?: string): Part {
  return { raw: Buffer.from(content).toString('base64'), ...(filename !== undefined && { filename }) };
}

function artifact(...parts: Part[]): Artifact {
  return { artifactId: 'art-789', parts };
}

describe('LocalFileStore', () => {
  it.each([
    ['1.0', artifact(raw('PDF', 'quarterly_report.pdf'))],
    ['0.3', coreArtifactToV03(artifact(raw('PDF', 'quarterly_report.pdf')))],
  ])('saves, finds and deletes the files of A2A %s', async (_, report) => {
    const store = new LocalFileStore(folder);
    const paths = [`${folder}/task-123/art-789/quarterly_report.pdf`];
    expect(await store.get('task-123', 'art-789')).toEqual([]);
    expect(await store.save('task-123', report)).toEqual(paths);
    expect(await readFile(paths[0] ?? '', 'utf8')).toBe('PDF');
    expect(await store.get('task-123', 'art-789')).toEqual(paths);
    await store.delete('task-123', 'art-789');
    expect(await store.get('task-123', 'art-789')).toEqual([]);
    await store.delete('task-123', 'art-789');
  });

  it('returns paths relative to the given folder', async () => {
    const given = `./${relative(process.cwd(), folder)}`;
    const paths = await new LocalFileStore(`${given}/`).save('task-123', artifact(raw('x', 'a.txt')));
    expect(paths).toEqual([`${given}/task-123/art-789/a.txt`]);
  });

  it('keeps the order of the parts, and makes equal names unique', async () => {
    const store = new LocalFileStore(folder);
    const parts = [raw('1', 'z.txt'), { text: 'no file' }, raw('2', 'a.txt'), raw('3', 'z.txt'), raw('4')];
    const paths = await store.save('task', artifact(...parts));
    expect(paths.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual([
      'z.txt',
      'a.txt',
      'z-2.txt',
      'file-4',
    ]);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['1', '2', '3', '4']);
    expect(await new LocalFileStore(folder).get('task', 'art-789')).toEqual(paths);
  });

  it('replaces the earlier files of an artifact', async () => {
    const store = new LocalFileStore(folder);
    await store.save('task', artifact(raw('1', 'a.txt'), raw('2', 'b.txt')));
    const [path = ''] = await store.save('task', artifact(raw('new', 'a.txt')));
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await store.get('task', 'art-789')).toEqual([path]);
    expect(await store.save('task', artifact({ text: 'no file' }))).toEqual([]);
    expect(await store.get('task', 'art-789')).toEqual([]);
  });

  it('stays in its folder, whatever the ids and names', async () => {
    const root = join(folder, 'files');
    const store = new LocalFileStore(root);
    const strange = ['..', '../..', 'a/../../b', '/etc', 'C:\\', '\0', '.', ''];
    for (const id of strange) {
      for (const path of await store.save(id, {
        artifactId: id,
        parts: [raw('x', `${id}/../../../x.txt`)],
      })) {
        expect(path.startsWith(`${root}/`)).toBe(true);
        expect(join(path)).toBe(path);
        expect((await stat(path)).isFile()).toBe(true);
      }
      expect(await store.get(id, id)).toHaveLength(1);
    }
    expect(await readdir(folder)).toEqual(['files']);
    expect(await readdir(root)).toHaveLength(strange.length);
  });

  it('does not follow symbolic links', async () => {
    const outside = join(folder, 'outside');
    await mkdir(join(outside, 'art-789'), { recursive: true });
    await writeFile(join(outside, 'art-789', 'a.txt'), 'untouched');
    const root = join(folder, 'files');
    await mkdir(join(root, 'plain', 'art-789'), { recursive: true });
    await symlink(outside, join(root, 'linked'));
    await symlink(join(outside, 'art-789', 'a.txt'), join(root, 'plain', 'art-789', 'a.txt'));
    const store = new LocalFileStore(root);
    await expect(store.save('linked', artifact(raw('x', 'a.txt')))).rejects.toThrow('is not a folder');
    await expect(store.get('linked', 'art-789')).rejects.toThrow('is not a folder');
    await expect(store.delete('linked', 'art-789')).rejects.toThrow('is not a folder');
    await store.save('plain', artifact(raw('x', 'a.txt')));
    expect(await readFile(join(outside, 'art-789', 'a.txt'), 'utf8')).toBe('untouched');
  });

  it('rejects files above the limit by name', async () => {
    const store = new LocalFileStore(folder, { maxFileBytes: 10 });
    const saving = store.save(
      'task',
      artifact(raw('0123456789', 'fits.txt'), raw('0123456789a', 'large.txt')),
    );
    await expect(saving).rejects.toThrow(
      '"large.txt" could not be saved because it is larger than 10 bytes.',
    );
    const error: unknown = await saving.catch((thrown: unknown) => thrown);
    const saved = [`${folder}/task/art-789/fits.txt`];
    expect(isFilesNotSavedError(error) && error.savedPaths).toEqual(saved);
    expect(await store.get('task', 'art-789')).toEqual(saved);
    expect(await readdir(join(folder, 'task', 'art-789'))).toEqual(['.order.json', 'fits.txt']);
  });
});

describe('downloads', () => {
  const allow = ['127.0.0.1'];

  it('are saved completely, even after redirects', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
    const server = await startWebServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/file' }).end();
      else response.end(bytes);
    });
    const store = new LocalFileStore(folder, { allow });
    const [path = ''] = await store.save(
      'task',
      artifact({ url: `${server.origin}/moved`, filename: 'f.bin' }),
    );
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('are not made from private addresses', async () => {
    const server = await startWebServer((_, response) => response.end('secret'));
    const store = new LocalFileStore(folder);
    for (const url of [
      server.origin,
      'http://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'file:///etc/passwd',
      'nonsense',
    ]) {
      await expect(store.save('task', artifact({ url }))).rejects.toThrow('its URL is not allowed');
    }
    expect(server.requests).toEqual([]);
    expect(await store.get('task', 'art-789')).toEqual([]);
  });

  it('do not follow redirects to private addresses', async () => {
    const server = await startWebServer((_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    const store = new LocalFileStore(folder, { allow });
    await expect(store.save('task', artifact({ url: server.origin }))).rejects.toThrow('forbidden range');
  });

  it.each([
    ['the server responded with status 404', (response) => response.writeHead(404).end('none')],
    ['it is larger than 1,000 bytes', (response) => response.end('x'.repeat(1_001))],
    [
      'it is larger than 1,000 bytes',
      (response) => void response.write('x'.repeat(600), () => response.end('x'.repeat(600))),
    ],
    ['the server sent more than 5 redirects', (response) => response.writeHead(302, { location: '/' }).end()],
    ['the server sent a redirect without a location', (response) => response.writeHead(302).end()],
    ['compressed it', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
    [
      'the server closed the connection',
      (response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy()),
    ],
  ] as [string, (response: ServerResponse) => void][])(
    'that fail are reported: %s',
    async (message, answer) => {
      const server = await startWebServer((_, response) => answer(response));
      const store = new LocalFileStore(folder, { allow, maxFileBytes: 1_000 });
      const saving = store.save('task', artifact({ url: server.origin, filename: 'f' }));
      await expect(saving).rejects.toThrow(message);
      await expect(saving).rejects.not.toThrow(folder);
      expect(await readdir(join(folder, 'task', 'art-789'))).toEqual(['.order.json']);
    },
  );

  it('time out', async () => {
    const server = await startWebServer((_, response) => void response.write('x'));
    const store = new LocalFileStore(folder, { allow, downloadTimeout: 0.2 });
    await expect(store.save('task', artifact({ url: server.origin }))).rejects.toThrow(
      'A file could not be saved because the download took more than 0.2 seconds.',
    );
  });
});

function nameOf(name: string | undefined, mimeType?: string): string | undefined {
  return fileNames([{ name, mimeType }])[0];
}

describe('fileNames', () => {
  it.each([
    ['quarterly_report.pdf', 'quarterly_report.pdf'],
    ['Übersicht 2025 (final).xlsx', 'Übersicht 2025 (final).xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['.bashrc', 'bashrc'],
    ['a:b|c?.txt', 'a_b_c_.txt'],
    ['line\nbreak\u0000.txt', 'line_break_.txt'],
    ['gpj\u202e.exe', 'gpj_.exe'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['ends. . ', 'ends'],
  ])('makes %j safe', (name, expected) => {
    expect(nameOf(name)).toBe(expected);
  });

  it.each([undefined, '', '..', '/', '. .', 'folder/'])('names %j after its media type', (name) => {
    expect(nameOf(name, 'application/pdf')).toBe('file-1.pdf');
    expect(nameOf(name, 'no/such-type')).toBe('file-1');
    expect(nameOf(name)).toBe('file-1');
  });

  it('makes equal names unique', () => {
    const names = fileNames(
      ['a.txt', 'A.txt', 'a-2.txt', 'a.txt', 'b'].map((name) => ({ name, mimeType: undefined })),
    );
    expect(names).toEqual(['a.txt', 'A-2.txt', 'a-2-2.txt', 'a-3.txt', 'b']);
  });

  it('shortens names but keeps their extension', () => {
    expect(nameOf(`${'x'.repeat(5_000)}.tar`)).toMatch(/^x{100,196}\.tar$/);
    expect(Buffer.byteLength(nameOf('👩‍🚀'.repeat(500)) ?? '')).toBeLessThanOrEqual(200);
  });

  it('never returns a name with a path, or a duplicate', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 }), { maxLength: 8 }), (wanted) => {
        const names = fileNames(wanted.map((name) => ({ name, mimeType: undefined })));
        for (const name of names) expect(name).toMatch(/^[^./\\][^/\\\0]*$/);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(wanted.length);
      }),
    );
  });
});

function withFiles(artifactId: string, count: number): Artifact {
  return { artifactId, parts: Array.from({ length: count }, (_, index) => raw('12345', `${index}.txt`)) };
}

describe('the files of one task', () => {
  it('are limited in number, over all its artifacts', async () => {
    const store = new LocalFileStore(folder);
    await store.save('task', withFiles('a', 990));
    const failure: unknown = await store.save('task', withFiles('b', 30)).catch((error: unknown) => error);
    if (!isFilesNotSavedError(failure)) throw failure;
    expect(failure.savedPaths).toHaveLength(10);
    expect(failure.unsaved).toHaveLength(20);
    expect(failure.unsaved[0]?.reason).toBe('this result has more than 1,000 files');
    expect(failure.message).toContain('10 other files were not saved either.');
    // Another process knows what is there, and an artifact that is saved again takes no more.
    const later = new LocalFileStore(folder);
    await expect(later.save('task', withFiles('c', 1))).rejects.toThrow('more than 1,000 files');
    expect(await later.save('task', withFiles('b', 10))).toHaveLength(10);
    await later.delete('task', 'a');
    expect(await later.save('task', withFiles('c', 1))).toHaveLength(1);
    expect(await later.save('other task', withFiles('a', 1))).toHaveLength(1);
  });

  it('are limited in size together', async () => {
    const store = new LocalFileStore(folder, { maxTaskBytes: 12 });
    await expect(store.save('task', withFiles('a', 3))).rejects.toThrow(
      'all files of this result are larger than 12 bytes',
    );
    expect(await store.get('task', 'a')).toHaveLength(2);
  });

  it('are given up when they expire', async () => {
    const server = await startWebServer(() => {});
    const store = new LocalFileStore(folder, { allow: ['127.0.0.1'] });
    const parts = Array.from({ length: 50 }, (_, index) => ({ url: `${server.origin}/${index}` }));
    const time = new AbortController();
    const saved = store.save(
      'task',
      { artifactId: 'a', parts },
      { ownFiles: new Set(), signal: time.signal },
    );
    const outcome = saved.catch((error: unknown) => error);
    await expect.poll(() => server.requests.length).toBe(1);
    time.abort();
    expect(await outcome).toMatchObject({ unsaved: { length: 50 } });
    await expect(saved).rejects.toThrow('the files of this result take too long to save');
    expect(server.requests).toHaveLength(1);
  });
});

it('the message about files that were not saved is short, whatever their names', () => {
  const unsaved = Array.from({ length: 100_000 }, (_, index) => ({
    index,
    name: 'x'.repeat(10_000),
    reason: 'the disk is full',
  }));
  expect(new FilesNotSavedError([], unsaved).message.length).toBeLessThan(5_000);
});

/** The quotient of the times for 4n and n: about 4 for linear work, 16 for quadratic work. */
function growth(work: (n: number) => void, n: number): number {
  work(n);
  return (
    timeOf(() => work(4 * n)) /
    Math.max(
      1_000,
      timeOf(() => work(n)),
    )
  );
}

/** In microseconds of this process: a busy machine does not matter. */
function timeOf(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...times);
}

describe('fileNames takes linear time', () => {
  it.each([' ', '.', '\u2028', '\u200B', '/', 'a', '\u0301', '👩‍🚀'])('for %j many times', (piece) => {
    expect(growth((n) => nameOf(`a${piece.repeat(n)}b`), 10_000)).toBeLessThan(10);
  });

  it('for equal names', () => {
    const file = { name: 'a.txt', mimeType: undefined };
    expect(growth((n) => fileNames(Array.from({ length: n }, () => file)), 2_000)).toBeLessThan(10);
  });
});
