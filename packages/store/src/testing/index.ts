export { describeFolderStore, type FolderStoreBackend } from './describe-folder-store.ts';
export { describeStore, type OpenFixture, type StoreFixture } from './describe-store.ts';
export { createSampleTask, sampleStatus, sampleTask } from './sample-task.ts';
