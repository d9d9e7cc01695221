/**
 * Use an agent of this machine as an object in your program: OpenClaw, another command-line agent, or a model behind an API.
 */
import '@holdword/net/internal/require-supported-node';
export { AgentOptionsError } from '../executors/executor-errors.ts';
export type { ThinkingLevel } from '../executors/openclaw/openclaw-options.ts';
export type {
  LegacyPart,
  LegacyPushNotificationConfig,
  LegacySendParameters,
  PushNotificationConfig,
  SendParameters,
} from './adapter-requests.ts';
export type { AdapterSetup } from './adapter-setup.ts';
export { AgentAdapter, AgentFailedError } from './agent-adapter.ts';
export { loadAgent, type LoadAgentOptions } from './load-agent.ts';
export { OpenClawAgentAdapter, type OpenClawAdapterOptions } from './openclaw-agent-adapter.ts';
export { serveAgent, type ServeAgentOptions } from './serve-agent.ts';
