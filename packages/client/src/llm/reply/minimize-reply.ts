import type { V03TaskState } from '@parley/protocol/legacy';
import { ArtifactSettings, checkLimit } from '../../artifacts/artifact-settings.ts';
import { formatCount } from '../../artifacts/format-count.ts';
import type { AnyMessage, AnyTask } from '../any-artifact.ts';
import type { MessageForLLM, TaskForLLM } from '../for-llm.ts';
import { fittableArtifacts } from '../minimize-artifacts.ts';
import { contentsOfParts } from '../part-content.ts';
import { exceedsLimit, fittableContents } from './fit-contents.ts';
import { fittableMessage } from './fit-message.ts';
import { fittableTask } from './fit-task.ts';
import type { Fittable } from './fittable.ts';

export interface ReplyOptions {
  /** The most that the whole reply may have: characters of its JSON, or what `count` counts. */
  readonly budget: number;
  /** Counts something else in a text than its characters, for example tokens. */
  readonly count?: ((text: string) => number) | undefined;
  readonly settings?: ArtifactSettings | undefined;
  /** Where the files of an artifact were saved, by its id, in the order of its file parts. */
  readonly savedFilePaths?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Told to the model with each text of which something was left out. */
  readonly textTip?: string | null | undefined;
  /** Told to the model with data that was summarized. */
  readonly dataTip?: string | null | undefined;
}

/** A task for a model, all of it within one budget. Throws when not even its ids find a place. */
export function minimizeTask(task: AnyTask, options: ReplyOptions): TaskForLLM {
  const { settings = new ArtifactSettings() } = options;
  const { message } = task.status;
  const pieces = fittableTask({
    id: task.id,
    contextId: task.contextId,
    state: stateForLlm(task.status.state),
    message: message && messagePieces(message, options),
    artifacts: fittableArtifacts(task.artifacts ?? [], {
      characterLimit: settings.sendMessageCharacterLimit,
      minimizedObjectStringLength: settings.minimizedObjectStringLength,
      savedFilePaths: options.savedFilePaths,
      textTip: options.textTip,
      dataTip: options.dataTip,
    }),
  });
  return fitIntoBudget(pieces, options);
}

/** A message for a model, all of it within one budget. Throws when not even its ids find a place. */
export function minimizeMessage(message: AnyMessage, options: ReplyOptions): MessageForLLM {
  return fitIntoBudget(messagePieces(message, options), options);
}

function messagePieces(message: AnyMessage, options: ReplyOptions): Fittable<MessageForLLM> {
  const { settings = new ArtifactSettings() } = options;
  const contents = contentsOfParts(message.parts);
  const limit = settings.sendMessageCharacterLimit;
  const parts = fittableContents(contents, [], exceedsLimit(contents, limit), {
    characterLimit: limit,
    minimizedObjectStringLength: settings.minimizedObjectStringLength,
    textTip: options.textTip,
    dataTip: options.dataTip,
  });
  return fittableMessage(message.contextId ?? null, parts);
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
function stateForLlm(state: AnyTask['status']['state']): V03TaskState {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-') as V03TaskState;
}

/** What is counted instead of characters is hardly ever longer than this: no more text is looked at. */
const MOST_CHARACTERS_EACH = 8;
/** Each attempt is at least this much shorter than the one before. */
const SHORTER = 0.97;

/**
 * Replies are made to fit by the characters of their JSON. Where something else is counted, the number of characters is
 * brought down until the count is right.
 */
export function fitIntoBudget<Reply>(pieces: Fittable<Reply>, options: ReplyOptions): Reply {
  const budget = checkLimit('budget', options.budget);
  const { count = (text: string) => text.length } = options;
  let characters = options.count === undefined ? budget : budget * MOST_CHARACTERS_EACH;
  // A small reply is shorter than one that says what is left out.
  const least = pieces.least <= characters ? pieces.least : Math.min(pieces.least, pieces.wanted());
  while (characters >= least) {
    const reply = pieces.fit(characters);
    const json = JSON.stringify(reply);
    const counted = count(json);
    if (counted <= budget) return reply;
    if (characters === least) break;
    characters = Math.max(least, Math.floor(json.length * Math.min(budget / counted, 1) * SHORTER));
  }
  throw new Error(
    `The budget of ${formatCount(budget)} is too small for this reply: its ids alone need ` +
      `${formatCount(least)} characters. Raise the budget.`,
  );
}
