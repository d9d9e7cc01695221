// `npm run release:version`: turns the changesets into the next version and its changelogs. Commit what it changes, tag it
// `v` and the version, and push both: a workflow publishes the tag.
import { join } from 'node:path';
import { setVersion } from './build/set-version.ts';

console.log(`The version is ${await setVersion(join(import.meta.dirname, '..'))}.`);
