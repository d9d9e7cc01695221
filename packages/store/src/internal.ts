/** For Holdword's own packages, not covered by semver. */
export { isInFolder as isInDataFolder, makeFolders } from './data-folder.ts';
export { replaceSharedFile } from './json-file/replace-file.ts';
export { lockDataFolder } from './open-stores.ts';
