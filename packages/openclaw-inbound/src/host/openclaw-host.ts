import { join } from 'node:path';
import {
  getSessionEntry,
  listAgentIds,
  type OpenClawConfig,
  patchSessionEntry,
  registerPluginHttpRoute,
  resolveAgentConfig,
  resolveApprovalOverGateway,
  resolveChannelInboundRouteEnvelope,
  resolveStateDir,
  resolveStorePath,
  runDetachedWebhookWork,
  toInboundMediaFacts,
} from '../api.ts';
import type { HostAgent } from '../config/bundled-channel.ts';
import { CHANNEL_ID, PLUGIN_ID } from '../plugin-names.ts';
import type { ApprovalRouter } from './approvals.ts';
import type { ChannelRuntime } from './channel-runtime.ts';
import { withBindingsOf } from './choose-route.ts';
import { dispatchTurn } from './dispatch-turn.ts';
import { isGatewayRestart, RESTARTING } from './gateway-notices.ts';
import type { Host } from './host.ts';
import type { LiveSessions } from './live-sessions.ts';
import { SessionGuard } from './session-limits.ts';

export interface OpenClawHostOptions {
  readonly accountId: string;
  readonly config: OpenClawConfig;
  readonly channelRuntime: ChannelRuntime;
  readonly approvals: ApprovalRouter;
  readonly sessions: LiveSessions;
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** The gateway as the host of one account. */
export function openClawHost(options: OpenClawHostOptions): Host {
  const { accountId, config, channelRuntime } = options;
  const stateFolder = resolveStateDir(process.env);
  const gateway = {
    ...options,
    accountConfig: withBindingsOf(accountId, config),
    guard: new SessionGuard({
      getEntry: getSessionEntry,
      patchEntry: patchSessionEntry,
      pathOf: (agentId) => resolveStorePath(config.session?.store, { agentId }),
      workspaces: join(stateFolder, 'a2a', `account-${encodeURIComponent(accountId)}`),
    }),
    resolveRoute: resolveChannelInboundRouteEnvelope,
    toMediaFacts: toInboundMediaFacts,
  };
  const record = (direction: 'inbound' | 'outbound'): void =>
    channelRuntime.activity.record({ channel: CHANNEL_ID, accountId, direction });
  return {
    // The gateway stores copies of files that its agents send here.
    producedFileFolders: [join(stateFolder, 'media', 'outbound')],
    async dispatch(turn) {
      record('inbound');
      try {
        // A turn outlives its request; otherwise the gateway would treat it as work of a finished request.
        const end = await runDetachedWebhookWork(() => dispatchTurn(gateway, turn));
        if (end.kind === 'ended') record('outbound');
        return end;
      } catch (error) {
        if (isGatewayRestart(error)) return RESTARTING;
        throw error;
      }
    },
    async saveFile({ content, mediaType, name }) {
      const saved = await channelRuntime.media.saveMediaBuffer(
        content,
        mediaType,
        'inbound',
        MAX_FILE_BYTES,
        name,
      );
      return { path: saved.path, mediaType: saved.contentType ?? mediaType, name };
    },
    async decideApproval({ approval, senderId, decision }) {
      const { applied } = await resolveApprovalOverGateway({
        cfg: config,
        approvalId: approval.approvalId,
        approvalKind: approval.approvalKind,
        decision,
        channel: CHANNEL_ID,
        accountId,
        senderId,
        clientDisplayName: PLUGIN_ID,
      });
      return applied;
    },
    registerRoute: ({ path, match, handle }) =>
      registerPluginHttpRoute({
        path,
        match,
        auth: 'plugin',
        pluginId: PLUGIN_ID,
        source: PLUGIN_ID,
        accountId,
        throwOnFailure: true,
        handler: async (request, response) => {
          await handle(request, response);
          return true;
        },
      }),
  };
}

/** The agents in the gateway's configuration, in order. */
export function listAgents(config: OpenClawConfig): HostAgent[] {
  return listAgentIds(config).map((id) => {
    const name = resolveAgentConfig(config, id)?.name?.trim();
    return { id, name: name === '' ? undefined : name };
  });
}
