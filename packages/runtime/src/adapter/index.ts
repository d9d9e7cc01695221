/**
 * Use an agent of this machine as an object in your program: OpenClaw, another command-line agent, or a model behind an API.
 */
export type { ThinkingLevel } from '../executors/openclaw/openclaw-options.ts';
export type { AdapterSetup } from './adapter-setup.ts';
export { AgentAdapter } from './agent-adapter.ts';
export { AgentFailedError } from './agent-failed-error.ts';
export { AgentOptionsError } from '../executors/executor-errors.ts';
export { loadAgent, type LoadAgentOptions } from './load-agent.ts';
export { OpenClawAgentAdapter, type OpenClawAdapterOptions } from './openclaw-agent-adapter.ts';
export type { PushNotificationConfig } from './push-config.ts';
export type { SendParameters } from './send-parameters.ts';
export { serveAgent, type ServeAgentOptions } from './serve-agent.ts';
