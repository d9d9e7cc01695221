// The public API of @parley/client: an explicit list, so that nothing becomes public by accident.
export { ArtifactSettings, type ArtifactSettingsOptions } from './artifacts/artifact-settings.ts';
export { DataArtifacts } from './artifacts/data-artifacts.ts';
export type { MinimizeDataOptions } from './artifacts/data/minimize-data.ts';
export type { ViewDataOptions } from './artifacts/data/view-data.ts';
export { TextArtifacts } from './artifacts/text-artifacts.ts';
export type { MinimizeTextOptions } from './artifacts/text/minimize-text.ts';
export type { ViewTextOptions } from './artifacts/text/view-text.ts';
export type { FileStore } from './files/file-store.ts';
export type { AnyArtifact, AnyMessage, AnyPart, AnyTask } from './llm/any-artifact.ts';
export type {
  ArtifactForLLM,
  DataPartForLLM,
  FilePartForLLM,
  MessageForLLM,
  PartForLLM,
  TaskForLLM,
  TaskStatusForLLM,
  TextPartForLLM,
} from './llm/for-llm.ts';
export { minimizeArtifacts, type MinimizeArtifactsOptions } from './llm/minimize-artifacts.ts';
export { minimizeMessage, minimizeTask, type ReplyOptions } from './llm/reply/minimize-reply.ts';
export { withTextStatus } from './llm/with-text-status.ts';
export { fromSdkTaskStore } from './stores/from-sdk-task-store.ts';
export { InMemoryTaskStore } from './stores/in-memory-task-store.ts';
export { JSONTaskStore } from './stores/json-task-store.ts';
export { RecordTaskStore } from './stores/record-task-store.ts';
export type { TaskStore } from './stores/task-store.ts';
