import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

async function readLock(folder: string): Promise<LockedPackages> {
  const text = await readFile(join(import.meta.dirname, folder, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: LockedPackages }).packages;
}

/** Whether a package finds another one by Node's rules: beside itself, or in a folder further up. */
function findsPackage(locked: LockedPackages, place: string, name: string): boolean {
  const folders = place.split('/node_modules/');
  return folders
    .map(
      (_, index) => `${folders.slice(0, folders.length - index).join('/node_modules/')}/node_modules/${name}`,
    )
    .concat(`node_modules/${name}`)
    .some((candidate) => candidate in locked);
}

const INTEROP = join('test', 'interop', 'peers', 'javascript');

describe.each(['.', join('test', 'openclaw'), join(INTEROP, 'sdk-1'), join(INTEROP, 'sdk-03')])(
  'the lock file in %s',
  (folder) => {
    test('has what a package needs on any platform', async () => {
      const locked = await readLock(folder);
      const missing = Object.entries(locked).flatMap(([place, { dependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies })
          .filter((name) => !findsPackage(locked, place, name))
          .map((name) => `${name} of ${place}`),
      );
      expect(missing).toEqual([]);
    });

    test('has the native parts of its tools for Linux, macOS and Windows', async () => {
      const locked = await readLock(folder);
      const systems = new Set(Object.values(locked).flatMap(({ os = [] }) => os));
      // The SDKs have none.
      if (folder.startsWith(INTEROP)) return;
      expect([...systems]).toEqual(expect.arrayContaining(['linux', 'darwin', 'win32']));
    });

    test('has a checksum of every package from a registry', async () => {
      const locked = await readLock(folder);
      const unchecked = Object.entries(locked).filter(
        ([place, { integrity, link, inBundle }]) =>
          place.includes('node_modules/') && !link && !inBundle && integrity === undefined,
      );
      expect(unchecked.map(([place]) => place)).toEqual([]);
    });

    test('names no host to install from', async () => {
      const locked = await readLock(folder);
      const hosts = Object.values(locked).filter(({ resolved = '' }) => resolved.includes('://'));
      expect(hosts).toEqual([]);
    });
  },
);
