import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenClawConfig } from 'openclaw/plugin-sdk/channel-core';
import type {
  ChannelRuntime,
  DispatchRequest,
} from '../../../packages/openclaw-inbound/src/host/channel-runtime.ts';

/** What a plugin receives when it is loaded. */
export interface PluginApi {
  readonly registrationMode: string;
  registerChannel(registration: { plugin: object }): void;
  registerHttpRoute(route: {
    path: string;
    auth: 'plugin';
    match: 'exact';
    handler: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  }): void;
}

/** What an account of a channel receives when it is started. */
export interface Account {
  readonly cfg: OpenClawConfig;
  readonly abortSignal: AbortSignal;
  readonly channelRuntime: { readonly inbound: Inbound };
}

type Inbound = Omit<ChannelRuntime['inbound'], 'dispatch'> & {
  dispatch(turn: BareDispatch): Promise<unknown>;
};

type BareDispatch = Omit<DispatchRequest, 'replyOptions' | 'afterRecord'> & {
  replyOptions: Pick<DispatchRequest['replyOptions'], 'sourceReplyDeliveryMode'>;
};
