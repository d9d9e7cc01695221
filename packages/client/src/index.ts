/**
 * Call other agents over A2A, give a model tools for it, and show large artifacts to a model. Sessions return the objects
 * of A2A 0.3, whatever an agent speaks: `V03Task`, `V03Message`.
 */
export type { HostAddress, ResolveHost } from '@holdword/net/internal';
export { A2AError, isA2AError } from '@holdword/protocol';
export type {
  A2AErrorCode,
  AgentCard,
  Artifact,
  ListTasksRequest,
  Message,
  Part,
  Task,
  TaskState,
  V03Artifact,
  V03ArtifactUpdate,
  V03DataPart,
  V03Event,
  V03FilePart,
  V03Message,
  V03Part,
  V03StatusUpdate,
  V03Task,
  V03TaskState,
  V03TaskStatus,
  V03TextPart,
} from '@holdword/protocol';
export { A2AAgents, type A2AAgentsOptions, type AgentURLAndCustomHeaders } from './agents/a2a-agents.ts';
export type { AgentEntry } from './agents/agent-entries.ts';
export type { DetailLevel } from './agents/describe-agent.ts';
export type { PublishedCard } from './agents/published-card.ts';
export { ArtifactSettings, type ArtifactSettingsOptions } from './artifacts/artifact-settings.ts';
export { DataArtifacts } from './artifacts/data-artifacts.ts';
export type { MinimizeDataOptions } from './artifacts/data/minimize-data.ts';
export type { ViewDataOptions } from './artifacts/data/view-data.ts';
export type { ColumnSelection } from './artifacts/data/select-columns.ts';
export type { RowRangeEnd, RowSelection } from './artifacts/data/select-rows.ts';
export { TextArtifacts } from './artifacts/text-artifacts.ts';
export type { MinimizeTextOptions } from './artifacts/text/minimize-text.ts';
export type { ViewTextOptions } from './artifacts/text/view-text.ts';
export type { FileStore } from './files/file-store.ts';
export { FilesNotSavedError, isFilesNotSavedError, type UnsavedFile } from './files/files-not-saved-error.ts';
export { LocalFileStore, type LocalFileStoreOptions } from './files/local-file-store.ts';
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
export type { ReplyBudget } from './llm/reply/fit-into-budget.ts';
export { minimizeMessage, minimizeTask, type ReplyOptions } from './llm/reply/minimize-reply.ts';
export { withTextStatus } from './llm/with-text-status.ts';
export {
  A2ASession,
  type A2ASessionOptions,
  type CallOptions,
  type FollowCallOptions,
  type SendMessageOptions,
  type TaskPage,
} from './session/a2a-session.ts';
export type { SavedFiles } from './session/saved-tasks.ts';
export { fromSdkTaskStore } from './stores/from-sdk-task-store.ts';
export { InMemoryTaskStore } from './stores/in-memory-task-store.ts';
export { JSONTaskStore } from './stores/json-task-store.ts';
export { RecordTaskStore } from './stores/record-task-store.ts';
export { TaskTableStore } from './stores/task-table-store.ts';
export type { TaskStore } from './stores/task-store.ts';
export {
  A2ATools,
  type A2AToolsOptions,
  type ExtraToolName,
  type SearchArtifactOptions,
} from './tools/a2a-tools.ts';
export type { ToolDefinition } from './tools/tool-definition.ts';
export type { ToolError } from './tools/tool-error.ts';
export type { ToolAnnotations, ToolCallOptions, ToolResult } from './tools/tool.ts';
