// `npm run release:publish`: packs every package and publishes what the registry does not have yet, so that running it again
// finishes a release that failed half-way. Arguments after `--` reach `npm publish`:
//   npm run release:publish -- --dry-run
import { join } from 'node:path';
import { packPackages } from './build/pack-packages.ts';
import { publishPackages } from './build/publish-packages.ts';

const dist = join(import.meta.dirname, '..', 'dist');
const packed = await packPackages(join(dist, 'build'), join(dist, 'packages'));
const published = await publishPackages(packed, process.argv.slice(2));
console.log(`Published ${published.length} of ${packed.length} packages; the registry had the others.`);
