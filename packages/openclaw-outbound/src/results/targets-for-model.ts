import type { JsonObject } from '@holdword/protocol';
import { isObject, shorten } from '@holdword/protocol/internal';
import type { TargetSummary } from '../contract.ts';
import type { ConfiguredTarget } from '../config.ts';
import { cutJson, markedJson, markedText } from './foreign-text.ts';

const MAX_CARD_ERROR_CHARACTERS = 500;
/** With less room, a card says nothing. */
const MIN_CARD_CHARACTERS = 40;
const MAX_SKILL_DESCRIPTION = 200;

/**
 * The targets for the model. Every target is listed. What the agents wrote shares the budget: a long card is shortened to what
 * the others leave, and a note says how many were.
 */
export function targetsForModel(
  summaries: readonly TargetSummary[],
  budget: number,
  targets: readonly ConfiguredTarget[],
): JsonObject {
  const descriptions = new Map(targets.map(({ alias, description }) => [alias, description]));
  const cards = summaries.map((summary) =>
    writtenBy(summary, descriptions.get(summary.target_alias) !== undefined),
  );
  const shares = sharesOf(
    cards.map((card) => (card === undefined ? 0 : lengthOf(card))),
    budget,
  );
  let shortened = 0;
  const shown = summaries.map((summary, index) => {
    const { target_name: _name, description: _shown, peer_card: _card, ...known } = summary;
    const { peer_card_error, redirected_to, ...own } = known;
    const description = descriptions.get(own.target_alias);
    const [card, share = 0] = [cards[index], shares[index]];
    const fitted = card === undefined ? undefined : fittedCard(card, share);
    if (fitted !== card) shortened += 1;
    return {
      ...(budget === 0 ? { target_alias: own.target_alias, default: own.default } : own),
      ...(description !== undefined && budget > 0 && { description }),
      ...(fitted && { peer_card: markedJson(fitted) }),
      ...(peer_card_error !== undefined && {
        peer_card_error: cardError(peer_card_error, own.peer_card_error_source, budget),
      }),
      ...(redirected_to !== undefined &&
        budget > 0 && { redirected_to: markedText(redirected_to, redirected_to.length) }),
    };
  });
  const note = `${shortened} of ${summaries.length} cards are shortened or left out, because together they are too long.`;
  return { ...(shortened > 0 && { note }), targets: shown };
}

function cardError(text: string, source: 'agent' | undefined, budget: number): string {
  const limit = Math.min(budget, MAX_CARD_ERROR_CHARACTERS);
  return source === 'agent' ? markedText(text, limit) : shorten(text, limit);
}

/** What the agent wrote, the most useful first. */
function writtenBy(
  { target_name, description, peer_card: card }: TargetSummary,
  isDescribed: boolean,
): JsonObject | undefined {
  if (card === undefined) return undefined;
  const { skills, preferred_transport: _first, additional_interfaces: _all, ...rest } = card;
  const { preferred_transport, additional_interfaces } = card;
  return {
    target_name,
    ...(!isDescribed && description !== undefined && { description }),
    ...(skills !== undefined && { skills }),
    ...rest,
    ...(preferred_transport !== undefined && { preferred_transport }),
    ...(additional_interfaces !== undefined && { additional_interfaces }),
  };
}

/** The same share for everyone; what short cards leave is for the others. */
function sharesOf(lengths: readonly number[], budget: number): number[] {
  const ascending = lengths.toSorted((one, other) => one - other);
  let left = budget;
  let most = budget;
  for (const [index, length] of ascending.entries()) {
    most = Math.floor(left / (ascending.length - index));
    if (length > most) break;
    left -= length;
    most = budget;
  }
  return lengths.map((length) => Math.min(length, most));
}

/** The card itself if it fits; otherwise as much of it as does, from the most useful to the least. */
function fittedCard(card: JsonObject, share: number): JsonObject | undefined {
  if (lengthOf(card) <= share) return card;
  if (share < MIN_CARD_CHARACTERS) return undefined;
  const { target_name, description, skills, capabilities } = card;
  const known = Array.isArray(skills) ? skills.filter(isObject) : [];
  const name = typeof target_name === 'string' ? { target_name } : {};
  const text = typeof description === 'string' ? description : undefined;
  const names = known.map(({ name: skillName }) => skillName);
  const described = known.map(({ id, name: skillName, description: about }) => ({
    id,
    name: skillName,
    description: typeof about === 'string' ? shorten(about, MAX_SKILL_DESCRIPTION) : about,
  }));
  const third = Math.max(20, Math.floor(share / 3));
  const short = {
    target_name: shorten(String(target_name), third),
    ...(text !== undefined && { description: shorten(text, third) }),
  };
  const candidates = [
    { ...name, ...(text !== undefined && { description: text }), skills, capabilities },
    { ...name, ...(text !== undefined && { description: text }), skills: described, capabilities },
    { ...name, ...(text !== undefined && { description: text }), skills: names },
    { ...short, skills: names },
  ];
  const fitting = candidates.find((candidate) => lengthOf(candidate) <= share);
  return fitting ?? (cutJson({ ...short, skills: firstOf(names, third) }, share) as JsonObject);
}

/** The names that fit, and how many more there are. */
function firstOf(names: readonly unknown[], room: number): unknown[] {
  let left = room;
  const kept = names.filter((name) => (left -= lengthOf(name)) >= 0);
  return kept.length < names.length ? [...kept, `[${names.length - kept.length} more]`] : kept;
}

/** In the text for the model, where it is a string of JSON in JSON. */
function lengthOf(value: unknown): number {
  return JSON.stringify(JSON.stringify(value) ?? '').length;
}
