/**
 * Call other agents over A2A, give a model tools for it, and show large artifacts to a model. Sessions return the objects
 * of A2A 0.3, whatever an agent speaks: `V03Task`, `V03Message`.
 */
import '@holdword/net/internal/require-supported-node';
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
export type { DetailLevel } from './agents/a2a-agents.ts';
export type { PublishedCard } from './agents/card-cache.ts';
export { ArtifactSettings, type ArtifactSettingsOptions } from './artifacts/artifact-settings.ts';
export { DataArtifacts } from './artifacts/data-artifacts.ts';
export type { MinimizeDataOptions } from './artifacts/data-artifacts.ts';
export type { ViewDataOptions } from './artifacts/view-data.ts';
export type { ColumnSelection } from './artifacts/view-data.ts';
export type { RowRangeEnd, RowSelection } from './artifacts/view-data.ts';
export { TextArtifacts } from './artifacts/text-artifacts.ts';
export type { MinimizeTextOptions } from './artifacts/text-artifacts.ts';
export type { ViewTextOptions } from './artifacts/text-artifacts.ts';
export type { FileStore, SaveFilesContext } from './files/file-store.ts';
export { FilesNotSavedError, isFilesNotSavedError } from './files/file-store.ts';
export { LocalFileStore, type LocalFileStoreOptions } from './files/local-file-store.ts';
export type { LargeContent } from './large/large-parts.ts';
export type { AnyArtifact, AnyMessage, AnyPart, AnyTask } from './llm/for-llm.ts';
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
export type { UnsavedFile } from './llm/part-content.ts';
export { minimizeArtifacts } from './llm/minimize-reply.ts';
export type { MinimizeArtifactsOptions } from './llm/reply-options.ts';
export type { ReplyBudget } from './llm/fittable.ts';
export { minimizeMessage, minimizeTask } from './llm/minimize-reply.ts';
export type { ReplyOptions } from './llm/reply-options.ts';
export { withTextStatus } from './llm/for-llm.ts';
export { A2ASession, type TaskPage } from './session/a2a-session.ts';
export type {
  A2ASessionOptions,
  CallOptions,
  FollowCallOptions,
  SendMessageOptions,
} from './session/session-options.ts';
export type { SavedFiles } from './session/saved-tasks.ts';
export { fromSdkTaskStore } from './stores/task-table-store.ts';
export { InMemoryTaskStore, type InMemoryTaskStoreOptions } from './stores/in-memory-task-store.ts';
export { JSONTaskStore } from './stores/json-task-store.ts';
export { RecordTaskStore } from './stores/record-task-store.ts';
export { TaskTableStore } from './stores/task-table-store.ts';
export type { NoteStore, TaskStore } from './stores/task-store.ts';
export {
  A2ATools,
  type A2AToolsOptions,
  type ExtraToolName,
  type SearchArtifactOptions,
} from './tools/a2a-tools.ts';
export type { ToolDefinition } from './tools/tool.ts';
export type { ToolError } from './tools/tool-error.ts';
export type { ToolAnnotations, ToolCallOptions, ToolResult } from './tools/tool.ts';
