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

/** Options of {@link minimizeTask} and {@link minimizeMessage}. */
export interface ReplyOptions extends ReplyBudget {
  /**
   * Limits for artifacts.
   * @default `new ArtifactSettings()`
   */
  readonly settings?: ArtifactSettings | undefined;
  /** Paths of saved files by artifact id, in the order of the file parts. */
  readonly savedFilePaths?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Added as `_tip` to texts that were cut. */
  readonly textTip?: string | null | undefined;
  /** Added as `_tip` to data that was summarized. */
  readonly dataTip?: string | null | undefined;
}

/**
 * Fits a whole task for a model into one budget: short pieces stay whole, long ones are minimized.
 *
 * @example
 * ```ts
 * import { minimizeTask } from '@holdword/client';
 *
 * const task = {
 *   id: 'task-123',
 *   contextId: 'ctx-456',
 *   status: { state: 'TASK_STATE_COMPLETED' as const },
 *   artifacts: [{ artifactId: 'art-789', parts: [{ text: 'x'.repeat(200_000) }] }],
 * };
 * console.log(JSON.stringify(minimizeTask(task, { budget: 20_000 })).length <= 20_000); // true
 * ```
 *
 * @throws Error if the budget is too small for the ids.
 */
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

/**
 * Fits a whole message for a model into one budget.
 *
 * @example
 * ```ts
 * import { minimizeMessage } from '@holdword/client';
 *
 * const message = { messageId: 'm-1', role: 'ROLE_AGENT' as const, parts: [{ text: 'x'.repeat(200_000) }] };
 * console.log(minimizeMessage(message, { budget: 20_000 }).parts);
 * ```
 *
 * @throws Error if the budget is too small for the ids.
 */
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
