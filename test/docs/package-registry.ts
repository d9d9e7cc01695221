import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PackageRegistry {
  readonly url: string;
  close(): Promise<void>;
}

interface Manifest {
  name: string;
  version: string;
}

/** Serves the tarballs of a folder to `npm install`, on loopback: what a registry would answer of our packages alone. */
export async function startPackageRegistry(folder: string): Promise<PackageRegistry> {
  const bodies = new Map<string, { type: string; body: Buffer }>();
  const server = createServer((request, response) => {
    const found = bodies.get(decodeURIComponent(request.url ?? ''));
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': found?.type ?? 'application/json',
      'cache-control': 'no-store',
    });
    response.end(found?.body ?? '{"error":"not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Its user may forget it: it must not keep a test run from ending.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.tgz'))) {
    const tarball = await readFile(join(folder, file));
    const manifest = await manifestOf(join(folder, file));
    bodies.set(`/${file}`, { type: 'application/octet-stream', body: tarball });
    bodies.set(`/${manifest.name}`, {
      type: 'application/json',
      body: Buffer.from(JSON.stringify(describePackage(manifest, tarball, `${url}${file}`))),
    });
  }
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The document that npm reads to choose a version and to find its tarball. */
function describePackage(manifest: Manifest, tarball: Buffer, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist: { tarball: url, integrity } } },
  };
}

async function manifestOf(tarball: string): Promise<Manifest> {
  const { stdout } = await promisify(execFile)('tar', ['-xzOf', tarball, 'package/package.json']);
  return JSON.parse(stdout);
}
