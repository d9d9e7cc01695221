/** For Holdword's own packages, not covered by semver. */
export { replaceSharedFile } from './json-file/replace-file.ts';
export { lockDataFolder } from './open-stores.ts';
