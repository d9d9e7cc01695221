// `npm run build`: builds every package below dist/build, as it is published.
import { join, relative } from 'node:path';
import { buildPackages } from './build/build-packages.ts';

const built = await buildPackages(join(import.meta.dirname, '..', 'dist', 'build'));
for (const { name, folder } of built) console.log(`built ${name} in ${relative(process.cwd(), folder)}`);
