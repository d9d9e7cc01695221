import type { AgentSkill } from '@holdword/protocol';
import type { AccountSettings } from './account-schema.ts';

/** One account of the channel, validated and with defaults applied. */
export interface AccountConfig extends Readonly<
  Pick<
    AccountSettings,
    | 'enabled'
    | 'connect'
    | 'description'
    | 'agentCardPath'
    | 'jsonRpcPath'
    | 'maxBodyBytes'
    | 'agentStyle'
    | 'taskStore'
    | 'features'
  >
> {
  readonly accountId: string;
  readonly label: string | undefined;
  /** The agent that answers. Undefined: the agent that the gateway's bindings select, otherwise the gateway's default. */
  readonly defaultAgentId: string | undefined;
  /**
   * Where other agents reach the gateway, without a trailing slash, or REQUEST_ORIGIN. Without it the account cannot start, unless
   * it connects to a host.
   */
  readonly publicBaseUrl: string | undefined;
  /** The gateway's bindings for a peer's name select the agent, as in OpenClaw's bundled channel. */
  readonly agentsByBinding: boolean;
  /** Additional card path for clients of OpenClaw's bundled channel. */
  readonly legacyCardPath: string | undefined;
  /** Endpoint for clients of OpenClaw's bundled channel: they speak 1.0 without a version header. */
  readonly unversionedJsonRpcPath: string | undefined;
  /** Path of the HTTP+JSON binding, if it is enabled. */
  readonly restPath: string;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  /** Private addresses that push notifications may be sent to. */
  readonly pushAllowPrivate: readonly string[];
  readonly auth: AuthConfig;
  /** A blocking send returns the current task after this time; undefined waits for the end of the task. */
  readonly replyTimeoutMilliseconds: number | undefined;
}

/** The card contains the address of the request. */
export const REQUEST_ORIGIN = 'request-origin';

export type TaskStoreConfig = AccountConfig['taskStore'];

export interface AuthConfig {
  /** Callers without credentials are rejected. */
  readonly required: boolean;
  readonly peers: Readonly<Record<string, PeerConfig>>;
  readonly jwt: JwtConfig | undefined;
  /** Limits shared by all callers without credentials. */
  readonly anonymous: CallerLimits;
}

/** The host tools that a caller's turns may use. */
export type ToolAccess = 'none' | 'all' | readonly string[];

export interface PeerConfig {
  /** SHA-256 digests of the peer's keys, as lower-case hex. */
  readonly keyDigests: readonly string[];
  /** The `sub` of the peer's tokens. */
  readonly subject: string | undefined;
  /** The caller at the host that the account connects to. */
  readonly hostCaller: string | undefined;
  readonly agentId: string | undefined;
  readonly tools: ToolAccess;
  /** Whether the peer's turns see the private files of the agent's workspace. */
  readonly privateFiles: boolean;
  readonly mayApprove: boolean;
  readonly requestsPerMinute: number | undefined;
  readonly concurrentTurns: number | undefined;
}

export interface CallerLimits {
  readonly requestsPerMinute: number;
  /** Turns that run concurrently; further turns are queued. */
  readonly concurrentTurns: number;
}

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks: { readonly url: string } | { readonly file: string };
}

const MEDIA_TYPES: readonly string[] = ['text/plain', 'application/json'];
/** Files may be of any type. */
const ANY_MEDIA_TYPE = '*/*';

/** The configuration of an account, from its settings and its checked URL. */
export function resolveAccount(
  accountId: string,
  settings: AccountSettings,
  publicBaseUrl: string | undefined,
): AccountConfig {
  const {
    label,
    defaultAgentId,
    features,
    jsonRpcPath,
    skills,
    push,
    auth,
    originRoutingPolicy: _ignored,
    ...rest
  } = settings;
  const modes = features.files ? [...MEDIA_TYPES, ANY_MEDIA_TYPE] : MEDIA_TYPES;
  return {
    ...rest,
    accountId,
    label,
    defaultAgentId,
    publicBaseUrl,
    agentsByBinding: false,
    jsonRpcPath,
    legacyCardPath: undefined,
    unversionedJsonRpcPath: undefined,
    restPath: restPathFor(jsonRpcPath),
    defaultInputModes: settings.defaultInputModes ?? modes,
    defaultOutputModes: settings.defaultOutputModes ?? modes,
    skills: skills
      .filter(isComplete)
      .map((skill) => ({ ...skill, description: skill.description ?? skill.name })),
    features,
    pushAllowPrivate: push.allowPrivate,
    auth: resolveAuth(auth),
    replyTimeoutMilliseconds: undefined,
  };
}

/** `/a2a/rest` for `/a2a/jsonrpc`; `<path>/rest` for any other path. */
function restPathFor(jsonRpcPath: string): string {
  return jsonRpcPath.endsWith('/jsonrpc') ? jsonRpcPath.replace(/jsonrpc$/, 'rest') : `${jsonRpcPath}/rest`;
}

type SkillSettings = AccountSettings['skills'][number];

/** A card requires both fields of every skill. */
export function isComplete(skill: SkillSettings): skill is SkillSettings & { id: string; name: string } {
  return [skill.id, skill.name].every((text) => text !== undefined && text.trim() !== '');
}

function resolveAuth({ required, peers, jwt, anonymous }: AccountSettings['auth']): AuthConfig {
  return {
    required,
    peers: Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, resolvePeer(peer)])),
    jwt: jwt && {
      issuer: jwt.issuer,
      audience: jwt.audience,
      jwks: jwt.jwksUrl === undefined ? { file: jwt.jwksFile ?? '' } : { url: jwt.jwksUrl },
    },
    anonymous,
  };
}

function resolvePeer(peer: AccountSettings['auth']['peers'][string]): PeerConfig {
  const { keySha256 = [], subject, hostCaller, agentId, requestsPerMinute, concurrentTurns } = peer;
  const { tools, privateFiles, mayApprove } = peer;
  return {
    keyDigests: [keySha256].flat().map((digest) => digest.replace(/^sha256:/, '').toLowerCase()),
    subject,
    hostCaller,
    agentId,
    tools: tools.length === 0 ? 'none' : tools,
    privateFiles,
    mayApprove,
    requestsPerMinute,
    concurrentTurns,
  };
}
