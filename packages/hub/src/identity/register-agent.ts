import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@holdword/protocol';
import { nearestName } from '@holdword/protocol/internal';
import { hashSecret, isSecretOf, newSecret } from '@holdword/runtime/internal';
import type { HubSettings } from '../hub-settings.ts';
import type { ResolvedSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { NEW_SESSION_FIELD } from '../sessions/declared-sessions.ts';
import { HubError, showValue } from '../wire/hub-error.ts';
import { firstHeader, firstText, metadataOf } from '../wire/read-fields.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import {
  acceptControllerId,
  agentToken,
  CONTROLLER_ID_HEADERS,
  CONTROLLER_TOKEN_HEADERS,
  declaredAgentId,
  programAgentId,
  SOURCE_HEADERS,
} from './declared-agent.ts';
import { identityError, type Identities } from './identities.ts';
import { mayAct, type AgentRecord } from './identity.ts';

/** What a registration needs of the hub. */
export interface RegistrationContext {
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly settings: HubSettings;
  readonly now: () => number;
}

export interface Registration {
  readonly agent: AgentRecord;
  readonly isNew: boolean;
  /** Returned to the caller once and not stored. */
  readonly newToken?: string | undefined;
  /** The session that was started in the same commit as the agent. */
  readonly session?: ResolvedSession | undefined;
}

/** The parameters of `agents/register`. */
export const REGISTER_ARGUMENTS: readonly string[] = [
  'agent_id',
  'agent_name',
  'source',
  'context_id',
  'controller_id',
  'ref_agent_id',
  'referral_channel',
  'skills',
  'rotate_token',
  'include_token',
  NEW_SESSION_FIELD,
  'metadata',
];

const PREVIEW_CHARACTERS = 6;

/**
 * Registers an agent, or updates one that is already registered.
 *
 * An id is assigned only once. Updating a registered agent or rotating its token requires the agent's token or the
 * credential of an operator.
 */
export async function registerAgent(
  context: RegistrationContext,
  params: JsonObject,
  requestContext: HubRequestContext,
): Promise<Registration> {
  const { identities } = context;
  const declared = readDeclaredFields(params, requestContext);
  const fields = { ...declared, ...(await proveController(context, declared, requestContext)) };
  const agentId = declaredAgentId(requestContext.headers, params);
  if (agentId === undefined) rejectMisspelledId(params);
  if (agentId === undefined) return addUnnamed(context, fields, requestContext);
  const known = await identities.find(agentId);
  if (known === undefined) {
    const added = await addAgent(context, agentId, 'stable_declared', fields, requestContext);
    if (added !== undefined) return added;
  }
  const before = known ?? (await identities.find(agentId));
  if (before === undefined) throw concurrentChange();
  if (before.deleted !== undefined) return restoreAgent(context, before, fields, requestContext);
  await requireOwner(context, agentId, requestContext);
  return changeAgent(context, before, fields, params['rotate_token'] === true);
}

/** An agent whose id is in a misspelled parameter would get another one, which it does not expect. */
function rejectMisspelledId(params: JsonObject): void {
  const misspelled = Object.keys(params).find(
    (name) => !REGISTER_ARGUMENTS.includes(name) && nearestName(name, REGISTER_ARGUMENTS) === 'agent_id',
  );
  if (misspelled === undefined) return;
  throw new HubError('DELX-A2A-1004', `Unknown parameter ${showValue(misspelled)}. Did you mean agent_id?`, {
    hint: 'Send agent_id, or no such parameter to get a generated id.',
  });
}

/** Registers an agent that declares no id, under its program's default id or a generated one. */
async function addUnnamed(
  context: RegistrationContext,
  fields: Partial<AgentRecord>,
  requestContext: HubRequestContext,
): Promise<Registration> {
  const program = programAgentId(requestContext.headers);
  if (program !== undefined) {
    const proved = await context.identities.prove(
      program,
      agentToken(requestContext.headers),
      requestContext,
    );
    if (proved.identity !== undefined) return changeAgent(context, proved.identity.agent, fields, false);
    const added = await addAgent(context, program, 'stable_declared', fields, requestContext);
    if (added !== undefined) return added;
  }
  const agentId = `agent-${randomBytes(8).toString('hex')}`;
  const added = await addAgent(context, agentId, 'ephemeral_hospitality', fields, requestContext);
  if (added === undefined) throw concurrentChange();
  return added;
}

/** Returns undefined if the id is taken. */
async function addAgent(
  context: RegistrationContext,
  agentId: string,
  mode: AgentRecord['mode'],
  fields: Partial<AgentRecord>,
  requestContext: HubRequestContext,
): Promise<Registration | undefined> {
  const { callerKey } = requestContext;
  if (!context.settings.openRegistration && callerKey === undefined) throw registrationClosed();
  const newToken = newSecret();
  const agent: AgentRecord = {
    agentName: agentId,
    ...fields,
    agentId,
    mode,
    ...tokenFields(newToken),
    firstSeenAt: context.now(),
    ...(callerKey !== undefined && { registeredBy: callerKey }),
  };
  const session = await context.sessions.startWith(agentId, context.identities.add(agent));
  return session && { agent, isNew: true, newToken, session };
}

/**
 * Registers the name of a deleted agent again. The tasks of the deleted agent belong to the name, so only the caller that
 * registered it, or an operator, can do that: the agent then sees them again.
 */
async function restoreAgent(
  context: RegistrationContext,
  before: AgentRecord,
  fields: Partial<AgentRecord>,
  requestContext: HubRequestContext,
): Promise<Registration> {
  const { agentId, firstSeenAt, registeredBy, blocked } = before;
  const { callerKey, isOperator } = requestContext;
  if (!context.settings.openRegistration && callerKey === undefined) throw registrationClosed();
  if (!isOperator && !ownsName(before, requestContext)) throw nameReserved();
  if (!isOperator && blocked !== undefined) throw identityError('agent_blocked');
  const newToken = newSecret();
  const agent: AgentRecord = {
    agentName: agentId,
    ...fields,
    agentId,
    mode: 'stable_declared',
    ...tokenFields(newToken),
    firstSeenAt,
    ...(registeredBy !== undefined && { registeredBy }),
    ...(blocked !== undefined && { blocked }),
  };
  if (!(await context.identities.replace(before, agent))) throw concurrentChange();
  return { agent, isNew: true, newToken };
}

/** Without a credential at its registration, nothing but its last token proves who had the name. */
function ownsName({ registeredBy, tokenHash }: AgentRecord, requestContext: HubRequestContext): boolean {
  if (registeredBy !== undefined) return requestContext.callerKey === registeredBy;
  const token = agentToken(requestContext.headers);
  return token !== undefined && isSecretOf(token, tokenHash);
}

function nameReserved(): HubError {
  return new HubError('DELX-A2A-1401', 'This name belongs to the owner of a deleted agent.', {
    hint: 'Choose another agent_id, or register it with the API key that registered it before, or its last token if there was none. An operator can also register it.',
    details: { reason: 'name_reserved' },
  });
}

/** Replaces the token of an agent on behalf of an operator. */
export async function rotateToken(identities: Identities, agent: AgentRecord): Promise<string> {
  const newToken = newSecret();
  if (!(await identities.replace(agent, { ...agent, ...tokenFields(newToken) }))) throw concurrentChange();
  return newToken;
}

async function changeAgent(
  context: RegistrationContext,
  before: AgentRecord,
  fields: Partial<AgentRecord>,
  rotate: boolean,
): Promise<Registration> {
  const newToken = rotate ? newSecret() : undefined;
  const agent: AgentRecord = {
    ...before,
    ...fields,
    ...(keepsController(before, fields) && { controllerProved: true }),
    ...(newToken !== undefined && tokenFields(newToken)),
  };
  if (!(await context.identities.replace(before, agent))) throw concurrentChange();
  return { agent, isNew: false, newToken };
}

/** A confirmed controller need not be confirmed again. */
function keepsController(before: AgentRecord, { controllerId }: Partial<AgentRecord>): boolean {
  return before.controllerProved === true && (controllerId ?? before.controllerId) === before.controllerId;
}

async function requireOwner(
  { identities }: RegistrationContext,
  agentId: string,
  requestContext: HubRequestContext,
): Promise<void> {
  if (requestContext.isOperator) return;
  const found = await identities.prove(agentId, agentToken(requestContext.headers), requestContext);
  if (found.identity === undefined) throw identityError(found.rejection);
}

/**
 * A controller is confirmed by its own token, by the caller that registered it, or by an operator. It must be registered: else
 * the first one to take its name would control the agent.
 */
async function proveController(
  { identities }: RegistrationContext,
  { controllerId }: DeclaredFields,
  requestContext: HubRequestContext,
): Promise<Pick<AgentRecord, 'controllerProved'>> {
  if (controllerId === undefined) return {};
  const { headers, callerKey, isOperator } = requestContext;
  const token = firstHeader(headers, CONTROLLER_TOKEN_HEADERS);
  if (token !== undefined && !isOperator) {
    const { identity } = await identities.prove(controllerId, token, requestContext);
    return { controllerProved: identity !== undefined };
  }
  const controller = callerKey === undefined ? undefined : await identities.find(controllerId);
  const proved =
    controller !== undefined && mayAct(controller) && (isOperator || controller.registeredBy === callerKey);
  return { controllerProved: proved };
}

function tokenFields(token: string): Pick<AgentRecord, 'tokenHash' | 'tokenPreview'> {
  return { tokenHash: hashSecret(token), tokenPreview: `${token.slice(0, PREVIEW_CHARACTERS)}…` };
}

function registrationClosed(): HubError {
  return new HubError('DELX-A2A-1401', 'Registration requires an API key of this server.', {
    hint: 'Send an API key from "holdword keys add" as X-API-Key, or ask the operator to register the agent.',
    details: { reason: 'registration_closed' },
  });
}

function concurrentChange(): HubError {
  return new HubError('DELX-A2A-1099', 'The agent was changed by another request at the same time.', {
    hint: 'Try again.',
  });
}

/** Fields that an agent can declare when it registers. */
type DeclaredFields = Pick<
  AgentRecord,
  'source' | 'controllerId' | 'contextId' | 'refAgentId' | 'referralChannel' | 'skills'
> & { readonly agentName?: string };

const MAX_FIELD_LENGTH = 200;
const MAX_SKILLS = 32;

/** Reads the declared fields from the parameters, then from `metadata`, then from the headers. */
function readDeclaredFields(params: JsonObject, requestContext: HubRequestContext): DeclaredFields {
  const text = (...names: string[]): string | undefined =>
    (firstText(params, names) ?? firstText(metadataOf(params), names))?.slice(0, MAX_FIELD_LENGTH);
  const agentName = text('agent_name', 'agentName', 'name');
  const source = text('source', 'sourcePlatform') ?? firstHeader(requestContext.headers, SOURCE_HEADERS);
  const controllerId =
    text('controller_id', 'controllerId') ?? firstHeader(requestContext.headers, CONTROLLER_ID_HEADERS);
  const contextId = text('context_id', 'contextId');
  const refAgentId = text('ref_agent_id', 'refAgentId');
  const referralChannel = text('referral_channel', 'referralChannel');
  const skills = readSkills(params['skills'] ?? metadataOf(params)['skills']);
  return {
    ...(agentName !== undefined && { agentName }),
    ...(source !== undefined && { source }),
    ...(controllerId !== undefined && { controllerId: acceptControllerId(controllerId) }),
    ...(contextId !== undefined && { contextId }),
    ...(refAgentId !== undefined && { refAgentId }),
    ...(referralChannel !== undefined && { referralChannel }),
    ...(skills !== undefined && { skills }),
  };
}

function readSkills(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((skill) => typeof skill === 'string')
    .slice(0, MAX_SKILLS)
    .map((skill) => skill.slice(0, MAX_FIELD_LENGTH));
}
