/** For Holdword's own packages, not covered by semver. */
export { cardFailure, redirectOf } from './agents/card-cache.ts';
export { expandVariables } from './agents/agent-entries.ts';
export { RegisteredAgent, type AgentConnection } from './agents/registered-agent.ts';
export { findRootCard, rootCardOf } from './agents/root-card.ts';
export { fileNames, mediaTypeOf } from './files/file-names.ts';
export { isTransient, retryDelay } from './basics/retries.ts';
export { minimizeText } from './artifacts/text-artifacts.ts';
export { joinChunks } from './llm/part-content.ts';
export { isQuestionDetail, questionDetails } from './llm/task-question.ts';
export { READERS, readAgentCard } from './peers/answers.ts';
export { readFrame } from './peers/create-peer.ts';
export {
  HttpEndpoint,
  type HttpResponse,
  isTooLarge,
  parseJson,
  tooLargeReason,
} from './peers/http-endpoint.ts';
export { openWire } from './peers/open-peer.ts';
export { OwnEvents, sameTask } from './peers/own-events.ts';
export type { PeerEvent } from './peers/peer.ts';
export { usableInterfaces, type UsableInterface } from './peers/usable-interfaces.ts';
export type { UnaryOperation, WireFrame } from './peers/wire.ts';
export { isStillAsking } from './session/answered-question.ts';
export { callFailure } from './session/call-failure.ts';
export { followTask, type Connect } from './session/follow-task.ts';
export { mayHaveArrived, sendReliably } from './session/send-reliably.ts';
export { TaskView } from './session/task-view.ts';
export { TimeLimit } from './session/time-limit.ts';
export { prepareTaskFolder } from './stores/json-task-store.ts';
export { EXTRA_TOOL_NAMES } from './tools/a2a-tools.ts';
export { tidyMessage } from './tools/tool-error.ts';
