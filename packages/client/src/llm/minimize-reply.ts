import type { V03TaskState } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';
import {
  ArtifactSettings,
  checkLimit,
  DEFAULT_CHARACTER_LIMIT,
  DEFAULT_OBJECT_STRING_LENGTH,
} from '../artifacts/artifact-settings.ts';
import { compactJsonLength } from '../artifacts/json-length.ts';
import { oneLine } from '../artifacts/shorten.ts';
import { checkArgument, checkOptions, isList } from '../basics/check-options.ts';
import { exceedsLimit, fittableContents } from './fit-parts.ts';
import {
  allocate,
  fitIntoBudget,
  fitList,
  type Fittable,
  fittableLabel,
  lazy,
  fullListLength,
} from './fittable.ts';
import {
  type AnyArtifact,
  type AnyMessage,
  type AnyTask,
  type ArtifactForLLM,
  MESSAGE_ARTIFACT,
  type MessageForLLM,
  type PartForLLM,
  stateForLlm,
  type TaskForLLM,
} from './for-llm.ts';
import { contentsOfParts, type FileOutcome, type PartContent } from './part-content.ts';
import {
  ARTIFACTS_CHECKS,
  type MinimizeArtifactsOptions,
  REPLY_CHECKS,
  type ReplyOptions,
} from './reply-options.ts';

/** A message that an artifact repeats is shown once, unless it is short. */
const MIN_REPEATED_LENGTH = 500;

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
 * @throws Error if the budget is too small for the ids, TypeError if an argument or an option is invalid.
 */
export function minimizeTask(task: AnyTask, options: ReplyOptions): TaskForLLM {
  const call = 'minimizeTask(task, options)';
  checkArgument(call, 'task', task, (given) =>
    isObject(given) && isObject(given['status']) ? undefined : 'a task',
  );
  checkOptions(call, options, REPLY_CHECKS);
  const settings = new ArtifactSettings(options.settings);
  const { message } = task.status;
  const repeatedIn = message && artifactWithText(message, task.artifacts ?? []);
  const pieces = fittableTask({
    id: task.id,
    contextId: task.contextId,
    state: stateForLlm(task.status.state),
    repeatedIn,
    message: repeatedIn === undefined ? message && messagePieces(message, options) : undefined,
    artifacts: fittableArtifacts(task.artifacts ?? [], {
      ...options,
      characterLimit: settings.sendMessageCharacterLimit,
      minimizedObjectStringLength: settings.minimizedObjectStringLength,
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
 * @throws Error if the budget is too small for the ids, TypeError if an argument or an option is invalid.
 */
export function minimizeMessage(message: AnyMessage, options: ReplyOptions): MessageForLLM {
  const call = 'minimizeMessage(message, options)';
  checkArgument(call, 'message', message, (given) =>
    isObject(given) && Array.isArray(given['parts']) ? undefined : 'a message',
  );
  checkOptions(call, options, REPLY_CHECKS);
  return fitIntoBudget(messagePieces(message, options), options);
}

function messagePieces(message: AnyMessage, options: ReplyOptions): Fittable<MessageForLLM> {
  const settings = new ArtifactSettings(options.settings);
  const contents = contentsOfParts(message.parts);
  const limit = settings.sendMessageCharacterLimit;
  const parts = fittableContents(
    contents,
    outcomes(options)(MESSAGE_ARTIFACT),
    exceedsLimit(contents, limit),
    {
      characterLimit: limit,
      minimizedObjectStringLength: settings.minimizedObjectStringLength,
      textTip: options.messageTextTip === undefined ? options.textTip : options.messageTextTip,
      dataTip: options.dataTip,
      largeParts: options.largeParts,
    },
  );
  return fittableMessage(message.contextId ?? null, parts);
}

/** The artifact that repeats a message: agents often return their answer in both. */
function artifactWithText(message: AnyMessage, artifacts: readonly AnyArtifact[]): string | undefined {
  const text = onlyText(contentsOfParts(message.parts));
  if (text === undefined || text.length < MIN_REPEATED_LENGTH) return undefined;
  return artifacts.find(({ parts }) => onlyText(contentsOfParts(parts)) === text)?.artifactId;
}

function onlyText(contents: readonly PartContent[]): string | undefined {
  const [content] = contents;
  return contents.length === 1 && content?.kind === 'text' ? content.text : undefined;
}

/** What became of the files, by artifact id. */
function outcomes({
  savedFilePaths,
  unsavedFiles,
}: Pick<ReplyOptions, 'savedFilePaths' | 'unsavedFiles'>): (artifactId: string) => FileOutcome {
  // Maps: an agent may call its artifact `__proto__`.
  const paths = new Map(Object.entries(savedFilePaths ?? {}));
  const unsaved = new Map(Object.entries(unsavedFiles ?? {}));
  return (artifactId) => ({
    paths: paths.get(artifactId) ?? [],
    reasons: new Map((unsaved.get(artifactId) ?? []).map(({ index, reason }) => [index, reason])),
  });
}

/**
 * Prepares artifacts for a model: joins the texts of each artifact, summarizes large data, and replaces files with their
 * location.
 *
 * @example
 * ```ts
 * import { minimizeArtifacts } from '@holdword/client';
 *
 * const [minimized] = minimizeArtifacts(
 *   [{ artifactId: 'art-123', name: 'Log', parts: [{ kind: 'text', text: 'x'.repeat(60_000) }] }],
 *   { textTip: 'Text was minimized. Call viewTextArtifact() to see specific line ranges.' },
 * );
 * console.log(minimized?.parts[0]); // the first and last 25,000 characters
 * ```
 *
 * @throws Error if a limit is not a non-negative integer, TypeError if an option is unknown.
 */
export function minimizeArtifacts(
  artifacts: readonly AnyArtifact[],
  options: MinimizeArtifactsOptions = {},
): ArtifactForLLM[] {
  const call = 'minimizeArtifacts(artifacts, options)';
  checkArgument(call, 'artifacts', artifacts, isList);
  checkOptions(call, options, ARTIFACTS_CHECKS);
  return fittableArtifacts(artifacts, options).map((artifact) => artifact.full());
}

/** The artifacts as pieces of a reply. */
function fittableArtifacts(
  artifacts: readonly AnyArtifact[],
  options: MinimizeArtifactsOptions & Pick<ReplyOptions, 'largeParts'>,
): Fittable<ArtifactForLLM>[] {
  const partsOptions = {
    characterLimit: checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT),
    minimizedObjectStringLength: options.minimizedObjectStringLength ?? DEFAULT_OBJECT_STRING_LENGTH,
    textTip: options.textTip,
    dataTip: options.dataTip,
    largeParts: options.largeParts,
  };
  const contents = artifacts.map(({ parts }) => contentsOfParts(parts));
  const condense = exceedsLimit(contents.flat(), partsOptions.characterLimit);
  const outcomeOf = outcomes(options);
  return artifacts.map(({ artifactId, name, description }, index) =>
    fittableArtifact({
      artifactId,
      name,
      description,
      parts: fittableContents(contents[index] ?? [], outcomeOf(artifactId), condense, partsOptions),
    }),
  );
}

interface TaskPieces {
  readonly id: string;
  readonly contextId: string;
  readonly state: V03TaskState;
  /** The artifact that repeats the message. */
  readonly repeatedIn: string | undefined;
  readonly message: Fittable<MessageForLLM> | undefined;
  readonly artifacts: readonly Fittable<ArtifactForLLM>[];
}

const NULL_LENGTH = 4;

/** Fits a task: its message gets half of the room or whatever the artifacts do not need, and the artifacts share the rest. */
function fittableTask(pieces: TaskPieces): Fittable<TaskForLLM> {
  const { id, contextId, state, repeatedIn, message, artifacts } = pieces;
  const withMessage = (shown: MessageForLLM | null): TaskForLLM => ({
    id,
    contextId,
    kind: 'task',
    status: { state, message: shown, ...(repeatedIn !== undefined && { _message_in_artifact: repeatedIn }) },
    artifacts: [],
  });
  const empty = withMessage(null);
  const frame = compactJsonLength(empty);
  const minLength = compactJsonLength({ ...empty, _omitted_artifacts: artifacts.length });
  const full = (): TaskForLLM => ({
    ...withMessage(message?.full() ?? null),
    artifacts: artifacts.map((artifact) => artifact.full()),
  });
  const fullLengthWithin = (limit: number): number => {
    const messageLength = message === undefined ? 0 : message.fullLength() - NULL_LENGTH;
    return frame + messageLength + fullListLength(artifacts, limit);
  };
  const fitMessage = (room: number): MessageForLLM | null => {
    if (message === undefined) return null;
    const messageRoom = Math.max(Math.floor(room / 2), room - fullListLength(artifacts, room));
    return message.minLength <= messageRoom ? message.fit(messageRoom) : null;
  };
  return {
    minLength,
    full,
    fullLength: lazy(() => fullLengthWithin(Infinity)),
    fit(length) {
      if (fullLengthWithin(length) <= length) return full();
      const shown = withMessage(fitMessage(length - minLength));
      const { values, omitted } = fitList(artifacts, length - compactJsonLength(shown), minLength - frame);
      return { ...shown, artifacts: values, ...(omitted > 0 && { _omitted_artifacts: omitted }) };
    },
  };
}

/** Fits a message: as much of its parts as there is room for. */
function fittableMessage(
  contextId: string | null,
  parts: readonly Fittable<PartForLLM>[],
): Fittable<MessageForLLM> {
  const empty: MessageForLLM = { contextId, kind: 'message', parts: [] };
  const frame = compactJsonLength(empty);
  const minLength = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const full = (): MessageForLLM => ({ ...empty, parts: parts.map((part) => part.full()) });
  const fullLength = lazy(() => frame + fullListLength(parts));
  return {
    minLength,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const { values, omitted } = fitList(parts, length - frame, minLength - frame);
      return { ...empty, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}

/** The share of the room for name and description; they get more if the parts need less. */
const LABEL_SHARE = 1 / 4;

interface ArtifactPieces {
  readonly artifactId: string;
  readonly name: string | null | undefined;
  readonly description: string | null | undefined;
  readonly parts: readonly Fittable<PartForLLM>[];
}

/** Fits an artifact: as much of its parts, name and description as there is room for. */
function fittableArtifact(pieces: ArtifactPieces): Fittable<ArtifactForLLM> {
  const { artifactId, parts } = pieces;
  const name = fittableLabel(pieces.name && oneLine(pieces.name));
  const description = fittableLabel(pieces.description);
  /** What the frame has in place of both labels. */
  const nulls = description.minLength + name.minLength;
  const empty: ArtifactForLLM = { artifactId, description: null, name: null, parts: [] };
  const frame = compactJsonLength(empty);
  const minLength = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const full = (): ArtifactForLLM => ({
    artifactId,
    description: description.full(),
    name: name.full(),
    parts: parts.map((part) => part.full()),
  });
  const fullLength = lazy(() => {
    const labels = description.fullLength() + name.fullLength() - nulls;
    return frame + labels + fullListLength(parts);
  });
  const fitLabels = (room: number): Pick<ArtifactForLLM, 'description' | 'name'> => {
    const labelRoom = Math.max(Math.floor(room * LABEL_SHARE), room - fullListLength(parts, room));
    const [descriptionRoom, nameRoom] = allocate(
      labelRoom + nulls,
      [description, name].map((words) => ({ minLength: words.minLength, fullLength: words.fullLength() })),
    );
    return {
      description: description.fit(descriptionRoom ?? description.minLength),
      name: name.fit(nameRoom ?? name.minLength),
    };
  };
  return {
    minLength,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const words = fitLabels(length - minLength);
      const used = compactJsonLength({ ...empty, ...words });
      const { values, omitted } = fitList(parts, length - used, minLength - frame);
      return { ...empty, ...words, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}
