import type { JsonObject } from '@holdword/protocol';
import type { HubRequestContext } from '../hub-part.ts';
import { firstHeader, firstText, metadataOf } from '../read-fields.ts';
import { CONTROLLER_ID_HEADERS, SOURCE_HEADERS } from './declared-agent.ts';
import type { AgentRecord } from './identity.ts';
import { acceptControllerId } from './names.ts';

/** Fields that an agent can declare when it registers. */
export type DeclaredFields = Pick<
  AgentRecord,
  'source' | 'controllerId' | 'contextId' | 'refAgentId' | 'referralChannel' | 'skills'
> & { readonly agentName?: string };

const MAX_FIELD_LENGTH = 200;
const MAX_SKILLS = 32;

/** Reads the declared fields from the parameters, then from `metadata`, then from the headers. */
export function readDeclaredFields(params: JsonObject, requestContext: HubRequestContext): DeclaredFields {
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
