import { join } from 'node:path';
import {
  registerPluginHttpRoute,
  resolveApprovalOverGateway,
  resolveChannelInboundRouteEnvelope,
  resolveStateDir,
  runDetachedWebhookWork,
  toInboundMediaFacts,
  type OpenClawConfig,
} from '../api.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import { CHANNEL_ID, PLUGIN_ID } from '../plugin-names.ts';
import type { ChannelRuntime } from './channel-runtime.ts';
import { dispatchTurn } from './dispatch-turn.ts';
import type { Host } from './host.ts';
import type { LiveSessions } from './live-sessions.ts';
import { isRestart, RESTARTING } from './put-off.ts';

export interface OpenClawHostOptions {
  readonly accountId: string;
  readonly config: OpenClawConfig;
  readonly channelRuntime: ChannelRuntime;
  readonly approvals: ApprovalDesk;
  readonly sessions: LiveSessions;
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** The gateway that loaded this plugin, for one account. */
export function openClawHost(options: OpenClawHostOptions): Host {
  const { accountId, config, channelRuntime } = options;
  const gateway = {
    ...options,
    resolveRoute: resolveChannelInboundRouteEnvelope,
    toMediaFacts: toInboundMediaFacts,
  };
  return {
    // Where the gateway puts copies of what its agents send.
    producedFileFolders: [join(resolveStateDir(process.env), 'media', 'outbound')],
    async dispatch(turn) {
      try {
        // A turn outlives the request that brought it; without this the gateway takes it for work of a request that is over.
        return await runDetachedWebhookWork(() => dispatchTurn(gateway, turn));
      } catch (error) {
        if (isRestart(error)) return RESTARTING;
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
