import type { AgentCard, JsonObject } from '@holdword/protocol';
import { asObject, isObject, v03CardToCore } from '@holdword/protocol/internal';
import { readAgentCard } from '../peers/answers.ts';

/** A card as programs get it: all that the agent published, and the fields that readers of 0.3 expect. */
export interface PublishedCard extends JsonObject {
  name: string;
  description: string;
  /** Where the agent is called first. */
  url: string;
  version: string;
  capabilities: AgentCard['capabilities'];
  skills: AgentCard['skills'];
  defaultInputModes: string[];
  defaultOutputModes: string[];
}

export interface LoadedCard {
  /** In the form of A2A 1.0, read loosely. */
  card: AgentCard;
  published: PublishedCard;
}

/** A card and when its agent last said that it is still the same. */
export interface ConfirmedCard extends LoadedCard {
  /** Milliseconds since the epoch. */
  confirmedAt: number;
}

/** Reads a card of 1.0 or 0.3; one that has the fields of both is read as 1.0. Throws an A2AError when it is neither. */
export function readPublishedCard(json: unknown): LoadedCard {
  const raw = asObject(json);
  const { supportedInterfaces } = raw;
  const isCurrent = Array.isArray(supportedInterfaces) && supportedInterfaces.some(isObject);
  const card = readAgentCard(isCurrent ? raw : v03CardToCore(raw));
  const { name, description, version, skills, defaultInputModes, defaultOutputModes } = card;
  const { url } = raw;
  return {
    card,
    published: {
      ...raw,
      name,
      description,
      version,
      url: typeof url === 'string' ? url : (card.supportedInterfaces[0]?.url ?? ''),
      capabilities: { ...asObject(raw['capabilities']), ...card.capabilities },
      skills: Array.isArray(raw['skills']) ? raw['skills'] : skills,
      defaultInputModes,
      defaultOutputModes,
    },
  };
}
