// The public API of @holdword/client: an explicit list, so that nothing becomes public by accident.
export { ArtifactSettings, type ArtifactSettingsOptions } from './artifacts/artifact-settings.ts';
export { DataArtifacts } from './artifacts/data-artifacts.ts';
export type { MinimizeDataOptions } from './artifacts/data/minimize-data.ts';
export type { ViewDataOptions } from './artifacts/data/view-data.ts';
export { TextArtifacts } from './artifacts/text-artifacts.ts';
export { minimizeText, type MinimizeTextOptions } from './artifacts/text/minimize-text.ts';
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
export { minimizeMessage, minimizeTask, type ReplyOptions } from './llm/reply/minimize-reply.ts';
export { withTextStatus } from './llm/with-text-status.ts';
export { fromSdkTaskStore } from './stores/from-sdk-task-store.ts';
export { InMemoryTaskStore } from './stores/in-memory-task-store.ts';
export { JSONTaskStore } from './stores/json-task-store.ts';
export { RecordTaskStore } from './stores/record-task-store.ts';
export type { TaskStore } from './stores/task-store.ts';
export { A2AAgents, type A2AAgentsOptions, type AgentURLAndCustomHeaders } from './agents/a2a-agents.ts';
export { cardFailure } from './agents/card-failure.ts';
export { agentEntrySchema, type AgentEntry } from './agents/agent-entries.ts';
export { DETAIL_LEVELS, type DetailLevel } from './agents/describe-agent.ts';
export { expandVariables } from './agents/expand-variables.ts';
export type { PublishedCard } from './agents/published-card.ts';
export {
  RegisteredAgent,
  type AgentConnection,
  type AgentLimits,
  type RegisteredAgentOptions,
} from './agents/registered-agent.ts';
export type { HeaderSource } from './peers/header-source.ts';
export type { Peer, PeerCallOptions, PeerEvent } from './peers/peer.ts';
export {
  A2ASession,
  type A2ASessionOptions,
  type CallOptions,
  type FollowCallOptions,
  type SendMessageOptions,
  type TaskPage,
} from './session/a2a-session.ts';
export { callFailure } from './session/call-failure.ts';
export { followTask, type Connect, type FollowOptions } from './session/follow-task.ts';
export { mayHaveArrived, sendReliably } from './session/send-reliably.ts';
export { TaskView } from './session/task-view.ts';
export { TimeLimit } from './session/time-limit.ts';
export type { SavedFiles } from './session/saved-tasks.ts';
export type {
  V03Artifact as Artifact,
  V03ArtifactUpdate as TaskArtifactUpdateEvent,
  V03Event as SessionUpdate,
  V03Message as Message,
  V03Part as Part,
  V03StatusUpdate as TaskStatusUpdateEvent,
  V03Task as Task,
  V03TaskState as TaskState,
  V03TaskStatus as TaskStatus,
} from '@holdword/protocol/legacy';
export {
  A2ATools,
  EXTRA_TOOL_NAMES,
  type A2AToolsOptions,
  type ExtraToolName,
  type SearchArtifactOptions,
} from './tools/a2a-tools.ts';
export { tidyMessage, type ToolError } from './tools/tool-error.ts';
export type { ToolDefinition } from './tools/tool-definition.ts';
export type { ToolAnnotations, ToolCallOptions, ToolResult } from './tools/tool.ts';
