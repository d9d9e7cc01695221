export type { AgentSkill } from '@holdword/protocol';
export type { AgentDescription } from './agent-description.ts';
export type {
  ArtifactInput,
  AskOptions,
  Content,
  Executor,
  MessageDetails,
  Owner,
  Sink,
  StatusOptions,
  Turn,
} from './executors/executor.ts';
export { taskToSnapshot } from './engine/task-to-snapshot.ts';
export type { TurnGroup } from './engine/turn-queue.ts';
export { RetryableError, TerminalError } from './executors/executor-errors.ts';
export { noopLog, type Log } from './log.ts';
export type { TraceContext } from './observe/trace-context.ts';
export type { RequestContext } from './operations/request-context.ts';
export type { EventStream, Operations, StreamFrame } from './operations/operations.ts';
export { ownerFromKey, ownerKey } from './owner.ts';
export { judgeAnswer } from './push/judge-answer.ts';
export type { PushHealth } from './push/push-health.ts';
export { listPushTargets, type PushTargetState, type PushTargetSummary } from './push/list-push-targets.ts';
export type { PushOptions } from './push/push-options.ts';
export { retryDelay } from './push/retry-delay.ts';
export { replayTargets as replayPushTargets, type ReplayChoice } from './push/replay-targets.ts';
export type { RetentionOptions } from './retention/retention-options.ts';
export type { Runtime, RuntimeOptions } from './runtime-api.ts';
export { startRuntime } from './runtime.ts';
