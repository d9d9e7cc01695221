export { describeFolderStore, type FolderStoreBackend } from './describe-folder-store.ts';
export { describeStore, type OpenFixture, type StoreFixture } from './describe-store.ts';
export { overrideStore } from './override-store.ts';
export { createSampleTask, readAllEvents, sampleStatus, sampleTask } from './sample-task.ts';
export { seededRandom } from './seeded-random.ts';
