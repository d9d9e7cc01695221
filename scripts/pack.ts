// `npm run pack`: builds every package and writes the tarballs that are published to dist/packages.
import { join, relative } from 'node:path';
import { packPackages } from './build/pack-packages.ts';

const dist = join(import.meta.dirname, '..', 'dist');
const packed = await packPackages(join(dist, 'build'), join(dist, 'packages'));

const table = [
  ['package', 'version', 'size', 'file'],
  ...packed.map(({ name, version, tarball, bytes }) => [
    name,
    version,
    `${Math.ceil(bytes / 1024)} kB`,
    relative(process.cwd(), tarball),
  ]),
];
const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
