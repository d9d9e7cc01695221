import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { errorCode } from '@holdword/protocol/internal';

const gzip = promisify(gzipCallback);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

const PAGE = '/index.html';
/** The names of the files in here contain a hash of their contents. */
const BUILT_FILES = '/assets/';

const MISSING =
  'The page of the console has not been built. In a clone of the repository, run "npm run build:console"; ' +
  'installed packages contain it. The API of the console works without it.';

interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly compressed: Buffer | undefined;
}

/** The files of the page, from one folder, read once and kept compressed. Every path of the page itself is the same file. */
export class Assets {
  readonly #folder: string;
  #files: Promise<ReadonlyMap<string, Asset>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async send(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    const files = await this.#read();
    const isFile = files.has(path) || path.startsWith(BUILT_FILES);
    const asset = isFile ? files.get(path) : pageAt(path, files.get(PAGE));
    if (asset === undefined) {
      const isMissing = files.size === 0;
      response.writeHead(isMissing ? 503 : 404, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(isMissing ? MISSING : 'There is no such file.');
      return;
    }
    const { type, etag, bytes, compressed } = asset;
    const cache = isFile && path.startsWith(BUILT_FILES) ? 'public, max-age=31536000, immutable' : 'no-cache';
    const headers = { 'Content-Type': type, ETag: etag, 'Cache-Control': cache, Vary: 'Accept-Encoding' };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    const body = (takesGzip ? compressed : undefined) ?? bytes;
    response.writeHead(200, {
      ...headers,
      'Content-Length': body.length,
      ...(body === compressed && { 'Content-Encoding': 'gzip' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /** What is missing is looked for again: the page may be built while the server runs. */
  async #read(): Promise<ReadonlyMap<string, Asset>> {
    const files = await (this.#files ??= readAssets(this.#folder));
    if (files.size === 0) this.#files = undefined;
    return files;
  }
}

/** The page may be opened at any depth, and finds its files and the API relative to where the console is mounted. */
function pageAt(path: string, page: Asset | undefined): Asset | undefined {
  const depth = path.split('/').length - 2;
  if (page === undefined || depth === 0) return page;
  const base = `<base href="${'../'.repeat(depth)}" />`;
  const bytes = Buffer.from(page.bytes.toString().replace(/<base href="[^"<>]*" ?\/?>/, base));
  return { type: page.type, etag: `${page.etag.slice(0, -1)}-${depth}"`, bytes, compressed: undefined };
}

async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const files = new Map<string, Asset>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    files.set(path, { type, etag, bytes, compressed: await gzip(bytes, { level: 9 }) });
  }
  return files;
}
