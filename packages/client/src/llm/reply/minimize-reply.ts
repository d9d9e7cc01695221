import type { V03TaskState } from '@holdword/protocol';
import { ArtifactSettings } from '../../artifacts/artifact-settings.ts';
import type { AnyMessage, AnyTask } from '../any-artifact.ts';
import type { MessageForLLM, TaskForLLM } from '../for-llm.ts';
import { fittableArtifacts } from '../minimize-artifacts.ts';
import { contentsOfParts } from '../part-content.ts';
import { exceedsLimit, fittableContents } from './fit-contents.ts';
import { fitIntoBudget, type ReplyBudget } from './fit-into-budget.ts';
import { fittableMessage } from './fit-message.ts';
import { fittableTask } from './fit-task.ts';
import type { Fittable } from './fittable.ts';

export interface ReplyOptions extends ReplyBudget {
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
