// `npm run build`: compiles every package to packages/*/dist, from where it is published.
import { join } from 'node:path';
import { buildPackages } from './build/build-packages.ts';

const built = await buildPackages((name) => join(import.meta.dirname, '..', 'packages', name, 'dist'));
for (const { name } of built) console.log(`built ${name}`);
