import type { AgentSkill } from '@holdword/protocol';
import type { AccountConfig, AuthConfig, CallerLimits, PeerConfig } from './account-config.ts';
import type { AccountInput } from './account-schema.ts';
import type { AuthInput, PeerInput } from './auth-schema.ts';

const MEDIA_TYPES: readonly string[] = ['text/plain', 'application/json'];
/** Files may be of any type. */
const ANY_MEDIA_TYPE = '*/*';

const CHAT: AgentSkill = { id: 'chat', name: 'Chat', description: 'Talk with the agent.', tags: ['chat'] };

/** Shared by all anonymous callers: enough for several of them, but not for a flood. */
export const ANONYMOUS_LIMITS: CallerLimits = { requestsPerMinute: 600, concurrentTurns: 8 };

/** Applies the defaults to an account. */
export function fillAccount(
  accountId: string,
  input: AccountInput,
  publicBaseUrl: string | undefined,
): AccountConfig {
  const { label, description, features, skills, jsonRpcPath = '/a2a/jsonrpc' } = input;
  const modes = features?.files === true ? [...MEDIA_TYPES, ANY_MEDIA_TYPE] : MEDIA_TYPES;
  return {
    accountId,
    enabled: input.enabled ?? true,
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    defaultAgentId: input.defaultAgentId ?? 'main',
    agentCardPath: input.agentCardPath ?? '/.well-known/agent-card.json',
    jsonRpcPath,
    restPath: restPathFor(jsonRpcPath),
    maxBodyBytes: input.maxBodyBytes ?? 1024 * 1024,
    defaultInputModes: input.defaultInputModes ?? modes,
    defaultOutputModes: input.defaultOutputModes ?? modes,
    agentStyle: input.agentStyle ?? 'hybrid',
    taskStore: taskStoreOf(input.taskStore),
    skills: skills === undefined ? [CHAT] : skills.filter(isComplete).map(skillOf),
    features: {
      rest: features?.rest ?? false,
      push: features?.push ?? false,
      files: features?.files ?? false,
      extendedCard: features?.extendedCard ?? false,
    },
    pushAllowPrivate: input.push?.allowPrivate ?? [],
    auth: authOf(input.auth ?? {}),
  };
}

/** `/a2a/rest` for `/a2a/jsonrpc`; `<path>/rest` for any other path. */
function restPathFor(jsonRpcPath: string): string {
  return jsonRpcPath.endsWith('/jsonrpc') ? jsonRpcPath.replace(/jsonrpc$/, 'rest') : `${jsonRpcPath}/rest`;
}

function taskStoreOf(input: AccountInput['taskStore']): AccountConfig['taskStore'] {
  if (input?.kind !== 'postgres') return input ?? { kind: 'memory' };
  const { kind, url, schema } = input;
  return { kind, url, ...(schema !== undefined && { schema }) };
}

type SkillInput = NonNullable<AccountInput['skills']>[number];

/** A card requires both fields of every skill. */
export function isComplete(skill: SkillInput): skill is SkillInput & { id: string; name: string } {
  return [skill.id, skill.name].every((text) => text !== undefined && text.trim() !== '');
}

function skillOf(input: SkillInput & { id: string; name: string }): AgentSkill {
  const { id, name, description = name, tags = [], examples, inputModes, outputModes } = input;
  return {
    id,
    name,
    description,
    tags,
    ...(examples && { examples }),
    ...(inputModes && { inputModes }),
    ...(outputModes && { outputModes }),
  };
}

function authOf({ required = false, peers = {}, jwt, anonymous = {} }: AuthInput): AuthConfig {
  return {
    required,
    peers: Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, peerOf(peer)])),
    ...(jwt && {
      jwt: {
        issuer: jwt.issuer,
        audience: jwt.audience,
        jwks: jwt.jwksUrl === undefined ? { file: jwt.jwksFile ?? '' } : { url: jwt.jwksUrl },
      },
    }),
    anonymous: {
      requestsPerMinute: anonymous.requestsPerMinute ?? ANONYMOUS_LIMITS.requestsPerMinute,
      concurrentTurns: anonymous.concurrentTurns ?? ANONYMOUS_LIMITS.concurrentTurns,
    },
  };
}

function peerOf(peer: PeerInput): PeerConfig {
  const { keySha256 = [], subject, agentId, tools = [], mayApprove = false } = peer;
  const { requestsPerMinute, concurrentTurns } = peer;
  return {
    keyDigests: [keySha256].flat().map((digest) => digest.replace(/^sha256:/, '').toLowerCase()),
    ...(subject !== undefined && { subject }),
    ...(agentId !== undefined && { agentId }),
    tools: tools.length === 0 ? 'none' : tools,
    mayApprove,
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(concurrentTurns !== undefined && { concurrentTurns }),
  };
}
