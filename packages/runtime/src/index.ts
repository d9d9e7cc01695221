/** Write an agent, run it durably, and serve it over A2A. */
import '@holdword/net/internal/require-supported-node';
export { A2AError, isA2AError } from '@holdword/protocol';
export type {
  A2AErrorCode,
  AgentCard,
  AgentSkill,
  Artifact,
  CardSigningKey,
  JsonObject,
  Message,
  Part,
  SendMessageConfiguration,
  Task,
  TaskState,
} from '@holdword/protocol';
export type { HostAddress, ResolveHost } from '@holdword/net/internal';
export {
  isStoreError,
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  StoreError,
  type JsonFileStoreOptions,
  type PostgresStoreOptions,
  type SqliteStoreOptions,
  type Store,
  type StoreErrorCode,
} from '@holdword/store';
export type { AgentDescription } from './agent-description.ts';
export type { TurnGroup } from './engine/turn-queue.ts';
export type { EnvironmentChoice } from './executors/child-process/child-environment.ts';
export type { CliAgentOptions, WorkingDirectory } from './executors/cli-agent/cli-agent-options.ts';
export { CliAgent } from './executors/cli-agent/cli-agent.ts';
export type {
  CliCommand,
  CliEnd,
  CliFile,
  CliOutcome,
  CliOutput,
  CliProfile,
  CliReader,
  CliTurn,
  DefiniteOutcome,
} from './executors/cli-agent/profile.ts';
export { claudeCodeProfile, type ClaudeCodeOptions } from './executors/cli-agent/profiles/claude-code.ts';
export { codexProfile, type CodexOptions } from './executors/cli-agent/profiles/codex.ts';
export { execProfile, type ExecOptions } from './executors/cli-agent/profiles/exec.ts';
export { geminiProfile, type GeminiOptions } from './executors/cli-agent/profiles/gemini.ts';
export { RetryableError, TerminalError } from './executors/executor-errors.ts';
export type {
  ArtifactInput,
  AskOptions,
  Content,
  Executor,
  MessageDetails,
  Sink,
  StatusOptions,
  Turn,
} from './executors/executor.ts';
export type { Owner } from './owner.ts';
export { sdkAgentExecutor, type SdkAgentExecutorOptions } from './executors/sdk-agent-executor.ts';
export type { Log } from './log.ts';
export type {
  EndedRequest,
  EndedTurn,
  FallbackAction,
  FallbackRejection,
  LimitScope,
  Observer,
  StateChange,
  TaskDeletion,
} from './observe/observer.ts';
export type { Readiness, ReadinessCheck, RuntimeHealth } from './observe/readiness.ts';
export type { MetricsSource } from './observe/metrics.ts';
export type { TraceContext } from './observe/tracing.ts';
export type { RequestContext } from './operations/operations.ts';
export type { EventStream, Operations, StreamFrame } from './operations/operations.ts';
export type { PushHealth, TurnActivity } from './observe/metrics.ts';
export type { PushOptions } from './push/push-outbox.ts';
export type { RetentionOptions } from './engine/retention.ts';
export type { Runtime, RuntimeOptions } from './runtime.ts';
export { startRuntime } from './runtime.ts';
export {
  anyOf,
  bearerToken,
  headerValue,
  unauthenticated,
  type Authentication,
  type Caller,
  type CallerRole,
  type RequestHeaders,
} from './serve/auth/authentication.ts';
export { apiKeyAuthentication } from './serve/auth/api-key-authentication.ts';
export {
  addKey,
  listKeys,
  revokeKey,
  rotateKey,
  type ApiKey,
  type ApiKeyRecords,
  type IssuedApiKey,
  type NewApiKey,
} from './serve/auth/api-keys.ts';
export { jwtAuthentication, type JwtOptions } from './serve/auth/jwt-authentication.ts';
export { noAuthentication } from './serve/auth/authentication.ts';
export { buildServedCard, type CardOptions, type ExtendedCardSource } from './serve/served-card.ts';
export type { HandlerContextOptions } from './serve/handler-context.ts';
export {
  createHttpHandler,
  type FallbackHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from './serve/http-handler.ts';
export type { CatalogEntry } from './serve/ai-catalog.ts';
export type { CorsOptions } from './serve/cors.ts';
export type { Limits } from './serve/limits.ts';
export type { GrpcRoute } from './serve/grpc-server.ts';
export type { HandlerPaths } from './serve/addresses.ts';
export { serveRuntime, type ServedAgent, type ServeRuntimeOptions } from './serve/serve-runtime.ts';
