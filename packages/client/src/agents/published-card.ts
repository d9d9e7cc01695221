import type { AgentCard, JsonObject } from '@holdword/protocol';
import { asObject, isObject, v03CardToCore } from '@holdword/protocol/internal';
import { readAgentCard } from '../peers/answers.ts';

/** An agent card as published, with the fields of A2A 0.3 filled in. */
export interface PublishedCard extends JsonObject {
  name: string;
  description: string;
  /** The preferred endpoint of the agent. */
  url: string;
  version: string;
  capabilities: AgentCard['capabilities'];
  skills: AgentCard['skills'];
  defaultInputModes: string[];
  defaultOutputModes: string[];
}

export interface LoadedCard {
  /** As A2A 1.0, parsed leniently. */
  card: AgentCard;
  published: PublishedCard;
}

/** A card and when it was last confirmed to be current. */
export interface ConfirmedCard extends LoadedCard {
  /** Milliseconds since the epoch. */
  confirmedAt: number;
}

/** Parses a card of A2A 1.0 or 0.3; one with the fields of both is parsed as 1.0. Throws an A2AError if it is neither. */
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
