// The only imports from OpenClaw's plugin SDK. Their types are declared in host/openclaw-sdk.d.ts.
export { listAgentIds, resolveAgentConfig } from 'openclaw/plugin-sdk/agent-scope-runtime';
export { resolveApprovalOverGateway } from 'openclaw/plugin-sdk/approval-gateway-runtime';
export type {
  ChannelAccountSnapshot,
  ChannelGatewayContext,
  ChannelLogSink,
  ChannelStatusAdapter,
  ChannelStatusIssue,
} from 'openclaw/plugin-sdk/channel-contract';
export {
  defineChannelPluginEntry,
  type ChannelPlugin,
  type OpenClawConfig,
} from 'openclaw/plugin-sdk/channel-core';
export { resolveChannelInboundRouteEnvelope, toInboundMediaFacts } from 'openclaw/plugin-sdk/channel-inbound';
export {
  getSessionEntry,
  patchSessionEntry,
  resolveStorePath,
} from 'openclaw/plugin-sdk/session-store-runtime';
export { resolveStateDir } from 'openclaw/plugin-sdk/state-paths';
export { registerPluginHttpRoute } from 'openclaw/plugin-sdk/webhook-ingress';
export { runDetachedWebhookWork } from 'openclaw/plugin-sdk/webhook-request-guards';
