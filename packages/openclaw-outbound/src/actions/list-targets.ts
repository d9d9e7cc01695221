import {
  type AgentConnection,
  cardFailure,
  redirectOf,
  rootCardOf,
  tidyMessage,
  type TimeLimit,
} from '@holdword/client/internal';
import type { AgentCard, JsonObject } from '@holdword/protocol';
import { asObject, hasRemoteText, shorten } from '@holdword/protocol/internal';
import type { TargetSummary } from '../contract.ts';
import { requestTime } from '../calls/remote-call.ts';
import type { ConfiguredTarget } from '../config.ts';
import type { ActionHandler, Services } from './action.ts';

const MAX_SKILLS = 50;
const MAX_ITEMS = 20;
const MAX_TEXT_LENGTH = 1_000;

/** Lists the configured targets with their agent cards. An unreachable target does not hide the others. */
export const listTargets: ActionHandler = async ({ signal }, services) => {
  using limit = requestTime({}, services.config, signal);
  const described = await Promise.all(
    services.catalog.targets.map((target) => describe(target, services, limit)),
  );
  limit.throwIfAborted();
  return {
    summary: { targets: described.map(({ summary }) => summary) },
    raw: described.map(({ raw }) => raw),
    replies: [],
  };
};

async function describe(
  target: ConfiguredTarget,
  { catalog, connections }: Services,
  limit: TimeLimit,
): Promise<DescribedTarget> {
  try {
    const connection = await connections.connect(catalog.byAlias(target.alias), limit.signal);
    return describeTarget(target, connection);
  } catch (error) {
    const failure = cardFailure(target.alias, error);
    const rootCard = rootCardOf(failure);
    return describeTarget(target, {
      failure: `${tidyMessage(failure.message)}${rootCard === undefined ? '' : ` It is at ${rootCard}.`}`,
      isRemote: hasRemoteText(failure),
      redirect: redirectOf(failure),
    });
  }
}

/** A target as list_targets returns it: `summary` and `raw`. */
interface DescribedTarget {
  readonly summary: TargetSummary;
  readonly raw: JsonObject;
}

interface FailedCard {
  readonly failure: string;
  /** Whether the failure has text of the agent. */
  readonly isRemote: boolean;
  /** Where the card has moved to. */
  readonly redirect: string | undefined;
}

/** `card` is the agent's card, or the reason it could not be fetched. */
function describeTarget(target: ConfiguredTarget, card: AgentConnection | FailedCard): DescribedTarget {
  const { alias, baseUrl, cardPath, preferredTransports, description, tags, examples } = target;
  const known = 'failure' in card ? undefined : describeCard(card);
  const shownDescription = description ?? known?.description;
  return {
    summary: {
      target_alias: alias,
      target_url: baseUrl,
      default: target.default,
      tags,
      examples,
      ...(known && { target_name: known.displayName }),
      ...(shownDescription !== undefined && shownDescription !== '' && { description: shownDescription }),
      ...(known && { peer_card: snakeCard(known) }),
      ...('failure' in card && { peer_card_error: card.failure }),
      ...('failure' in card && card.isRemote && { peer_card_error_source: 'agent' as const }),
      ...('failure' in card && card.redirect !== undefined && { redirected_to: card.redirect }),
    },
    raw: {
      target: {
        baseUrl,
        cardPath,
        preferredTransports,
        alias,
        ...(known && { displayName: known.displayName }),
        ...(shownDescription !== undefined && shownDescription !== '' && { description: shownDescription }),
        ...(known?.capabilities.streaming !== undefined && {
          streamingSupported: known.capabilities.streaming,
        }),
      },
      ...(description !== undefined && { configuredDescription: description }),
      default: target.default,
      tags,
      examples,
      ...(known && { card: known }),
      ...('failure' in card && { cardError: card.failure }),
    },
  };
}

/** A card in A2A 0.3 form. Its size is bounded, because agents control its content. */
function describeCard({ card, published, confirmedAt }: AgentConnection) {
  const { streaming, pushNotifications } = card.capabilities;
  const { stateTransitionHistory } = asObject(published.capabilities);
  return {
    displayName: short(card.name),
    description: short(card.description),
    preferredTransport: card.supportedInterfaces[0]?.protocolBinding ?? '',
    additionalInterfaces: interfacesOf(card),
    capabilities: {
      ...(streaming !== undefined && { streaming }),
      ...(pushNotifications !== undefined && { pushNotifications }),
      ...(typeof stateTransitionHistory === 'boolean' && { stateTransitionHistory }),
    },
    defaultInputModes: shortList(card.defaultInputModes),
    defaultOutputModes: shortList(card.defaultOutputModes),
    skills: card.skills.slice(0, MAX_SKILLS).map(describeSkill),
    ...(card.skills.length > MAX_SKILLS && { omittedSkills: card.skills.length - MAX_SKILLS }),
    lastRefreshedAt: new Date(confirmedAt).toISOString(),
  };
}

/** An interface for each version of A2A is on the card twice. The plugin chooses the version, so it is shown once. */
function interfacesOf({ supportedInterfaces }: AgentCard): { transport: string; url: string }[] {
  const byAddress = new Map(supportedInterfaces.map((each) => [`${each.protocolBinding} ${each.url}`, each]));
  return [...byAddress.values()]
    .slice(0, MAX_ITEMS)
    .map(({ protocolBinding, url }) => ({ transport: short(protocolBinding), url: short(url) }));
}

function describeSkill(skill: AgentCard['skills'][number]) {
  const { id, name, description, tags, examples, inputModes, outputModes } = skill;
  return {
    id: short(id),
    name: short(name),
    description: short(description === '' ? name : description),
    tags: shortList(tags),
    ...(examples && { examples: shortList(examples) }),
    ...(inputModes && { inputModes: shortList(inputModes) }),
    ...(outputModes && { outputModes: shortList(outputModes) }),
  };
}

function snakeCard(card: ReturnType<typeof describeCard>): JsonObject {
  const { streaming, pushNotifications, stateTransitionHistory } = card.capabilities;
  return {
    preferred_transport: card.preferredTransport,
    additional_interfaces: card.additionalInterfaces,
    capabilities: {
      ...(streaming !== undefined && { streaming }),
      ...(pushNotifications !== undefined && { push_notifications: pushNotifications }),
      ...(stateTransitionHistory !== undefined && { state_transition_history: stateTransitionHistory }),
    },
    default_input_modes: card.defaultInputModes,
    default_output_modes: card.defaultOutputModes,
    skills: card.skills.map(({ inputModes, outputModes, ...skill }) => ({
      ...skill,
      ...(inputModes && { input_modes: inputModes }),
      ...(outputModes && { output_modes: outputModes }),
    })),
    ...(card.omittedSkills !== undefined && { omitted_skills: card.omittedSkills }),
  };
}

function shortList(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_ITEMS).map(short);
}

function short(text: string): string {
  return shorten(text, MAX_TEXT_LENGTH);
}
