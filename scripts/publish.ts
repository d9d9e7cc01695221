// `npm run release:publish`: packs every package and publishes the tarballs that the registry does not have yet, so that a
// release that broke off half-way is finished by running it again. Arguments after `--` reach `npm publish`:
//   npm run release:publish -- --dry-run
import { join } from 'node:path';
import { packPackages } from './build/pack-packages.ts';
import { publishPackages } from './build/publish-packages.ts';

const dist = join(import.meta.dirname, '..', 'dist');
const packed = await packPackages(join(dist, 'build'), join(dist, 'packages'));
publishPackages(packed, process.argv.slice(2));
