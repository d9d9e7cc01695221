import { A2AError, type V03Artifact, type V03Task, type V03TaskState } from '@holdword/protocol';
import { z } from 'zod';
import { formatCount, listNames, oneLine, shortenText } from '../artifacts/shorten.ts';
import { TextArtifacts } from '../artifacts/text-artifacts.ts';
import { viewData } from '../artifacts/view-data.ts';
import {
  type AnyArtifact,
  type ArtifactForLLM,
  artifactIdBesideMessage,
  MESSAGE_ARTIFACT,
  type PartForLLM,
} from '../llm/for-llm.ts';
import { contentsOfParts, joinChunks } from '../llm/part-content.ts';
import type { A2ASession } from '../session/a2a-session.ts';
import { largeContent, largeTexts, viewLargeText } from './large-artifacts.ts';
import { defineTool, field, READ_ONLY, type ToolContext, type ToolResult } from './tool.ts';

const position = (description: string) => z.number().int().nullish().describe(description);

export const viewTextArtifact = defineTool({
  name: 'viewTextArtifact',
  title: 'View a text artifact',
  description:
    'View text content from an artifact, optionally selecting a range. Use this for artifacts containing text ' +
    '(documents, logs, code, etc.). For long text, select a range of lines or a range of characters, not both; without a ' +
    'range, the whole text is returned. "_total_lines" and "_total_characters" in the result of sendMessage or getTask ' +
    `tell how long the text is. The artifactId "${MESSAGE_ARTIFACT}" is the text of the task's own message.`,
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that produced the artifact'),
    taskId: field.taskId('Task ID containing the artifact'),
    artifactId: field.artifactId,
    lineStart: position('Starting line number (1-based, inclusive). Negative numbers count from the end.'),
    lineEnd: position('Ending line number (1-based, inclusive). Negative numbers count from the end.'),
    characterStart: position('Starting character index (0-based, inclusive)'),
    characterEnd: position('Ending character index (0-based, exclusive)'),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, taskId, artifactId, ...range }, { signal }) {
    const artifact = await findArtifact(context.session, { agentId, taskId, artifactId }, signal);
    const options = { ...range, characterLimit: context.settings.viewArtifactCharacterLimit };
    const [large] = await largeTexts(context.session.agents.largeParts, artifact.parts);
    const selection = await selectFrom(() =>
      large === undefined
        ? TextArtifacts.view(textOfArtifact(artifact), options)
        : viewLargeText(large, options),
    );
    return artifactReply(context, artifact, { kind: 'text', text: selection });
  },
});

export const viewDataArtifact = defineTool({
  name: 'viewDataArtifact',
  title: 'View a data artifact',
  description:
    'View structured data from an artifact with optional filtering. Use this for artifacts containing JSON data ' +
    '(objects, arrays, tables). Navigate into the data with jsonPath, then select rows and columns of the list at that ' +
    'path. Use "_json_path" and the column names in a summary from sendMessage or getTask to select data.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that produced the artifact'),
    taskId: field.taskId('Task ID containing the artifact'),
    artifactId: field.artifactId,
    jsonPath: field.jsonPath,
    rows: z
      .string()
      .nullish()
      .describe(
        'Row selection: "0", "0-10", "0,2,5", "all". Rows are 0-based, and a range includes its end.',
      ),
    columns: z
      .union([z.string(), z.array(z.string())])
      .nullish()
      .describe('Column selection: "name", "name,age", "all", or a list of names'),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, taskId, artifactId, ...selection }, { signal }) {
    const artifact = await findArtifact(context.session, { agentId, taskId, artifactId }, signal);
    await refuseLargeData(context, artifact);
    const data = dataOfArtifact(
      artifact,
      await largeTexts(context.session.agents.largeParts, artifact.parts),
    );
    const characterLimit = context.settings.viewArtifactCharacterLimit;
    const selected = await selectFrom(() =>
      viewData(data, { ...selection, characterLimit, rowRangeEnd: 'inclusive' }),
    );
    return artifactReply(context, artifact, { kind: 'data', data: selected });
  },
});

export interface ArtifactLocation {
  readonly agentId: string;
  readonly taskId: string;
  readonly artifactId: string;
}

const ASK_MILLISECONDS = 15_000;
const MAX_NAMES = 20;
const ENDED: ReadonlySet<V03TaskState> = new Set(['completed', 'canceled', 'failed', 'rejected']);

/**
 * Finds the current version of an artifact. The saved version of a task that has ended is final; otherwise the agent is
 * asked once, without waiting for the task. If the agent does not respond, the saved version is used.
 */
export async function findArtifact(
  session: A2ASession,
  location: ArtifactLocation,
  signal?: AbortSignal,
): Promise<V03Artifact> {
  const { agentId, taskId, artifactId } = location;
  const message = artifactId === MESSAGE_ARTIFACT ? session.getSavedMessage(agentId, taskId) : null;
  if (message !== null) return { artifactId, parts: message.parts };
  const artifact = await findInTask(session, location, signal);
  // A message is never sent in chunks.
  if (artifactId === MESSAGE_ARTIFACT) return artifact;
  const [whole = artifact] = await withWholeTexts(session, agentId, [artifact]);
  return whole;
}

/** An agent that is away does not keep a model from looking at saved artifacts. */
const CARD_MILLISECONDS = 2_000;

/** The artifacts as the agent meant them: a text that was streamed in chunks is one text. */
export async function withWholeTexts(
  { agents }: A2ASession,
  agentId: string,
  artifacts: readonly V03Artifact[],
): Promise<V03Artifact[]> {
  const whole = artifacts.map((artifact) => ({ ...artifact, parts: joinChunks(artifact.parts) }));
  const isWhole = whole.every(({ parts }, index) => parts.length === artifacts[index]?.parts.length);
  if (isWhole) return [...artifacts];
  try {
    const { extensions } = await agents.connect(agentId, AbortSignal.timeout(CARD_MILLISECONDS));
    // Agents that can resume merge chunks, so that several texts are separate texts.
    return extensions.resume ? [...artifacts] : whole;
  } catch {
    return whole;
  }
}

async function findInTask(
  session: A2ASession,
  location: ArtifactLocation,
  signal: AbortSignal | undefined,
): Promise<V03Artifact> {
  const { agentId, taskId, artifactId } = location;
  // What cannot be read here is fetched from the agent.
  const kept = await session.getSavedTask(agentId, taskId).catch(() => null);
  const keptArtifact = kept === null ? undefined : await readableArtifact(session, kept, artifactId);
  if (kept !== null && keptArtifact !== undefined && hasEnded(kept)) return keptArtifact;
  let current: V03Task;
  try {
    const { peer } = await session.agents.connect(agentId, signal);
    const task = await peer.get(
      { id: taskId },
      { timeoutMilliseconds: ASK_MILLISECONDS, ...(signal && { signal }) },
    );
    // Saved, so that the next view of a large artifact need not fetch it again.
    current = await session.saveTask(agentId, task);
  } catch (error) {
    signal?.throwIfAborted();
    if (keptArtifact !== undefined) return keptArtifact;
    throw error;
  }
  const artifact = artifactOf(current, artifactId) ?? keptArtifact;
  if (artifact === undefined) throw noArtifact(location, current);
  return artifact;
}

function artifactOf({ artifacts, status }: V03Task, artifactId: string): V03Artifact | undefined {
  if (artifactId === MESSAGE_ARTIFACT && status.message !== undefined) {
    return { artifactId, parts: status.message.parts };
  }
  const shown = artifacts?.find((each) => artifactIdBesideMessage(each.artifactId) === artifactId);
  return shown && { ...shown, artifactId };
}

/** A saved artifact, unless its content was in a file that is gone. */
async function readableArtifact(
  { agents }: A2ASession,
  task: V03Task,
  artifactId: string,
): Promise<V03Artifact | undefined> {
  const artifact = artifactOf(task, artifactId);
  for (const part of artifact?.parts ?? []) {
    const { uri } = part.kind === 'file' ? part.file : {};
    if (await agents.largeParts.isGone(uri, part.metadata)) return undefined;
  }
  return artifact;
}

export function hasEnded(task: V03Task): boolean {
  return ENDED.has(task.status.state);
}

function noArtifact({ taskId, artifactId }: ArtifactLocation, task: V03Task): A2AError {
  const names = (task.artifacts ?? []).map((artifact) => artifactIdBesideMessage(artifact.artifactId));
  const known = names.length === 0 ? 'none' : listNames(names, MAX_NAMES);
  const hint = hasEnded(task) ? '' : ' The task has not ended, so more artifacts may follow. Call getTask.';
  return new A2AError(
    'INVALID_PARAMS',
    `Task "${taskId}" has no artifact "${artifactId}". Its artifacts: ${known}.${hint}`,
  );
}

/** The joined text of an artifact, as it is when minimized, so that ranges agree. */
function textOfArtifact({ artifactId, parts }: AnyArtifact): string {
  const text = contentsOfParts(parts).find((content) => content.kind === 'text');
  if (text !== undefined) return text.text;
  throw new A2AError(
    'INVALID_PARAMS',
    `Artifact "${artifactId}" has no text, only ${kindsOf(parts)}. ${adviceFor(parts, 'data')}`,
  );
}

/** The data of an artifact; a list if it has several data parts. Its texts may be in files. */
export function dataOfArtifact(
  { artifactId, parts }: AnyArtifact,
  textsInFiles: readonly unknown[] = [],
): unknown {
  const pieces = contentsOfParts(parts).filter((content) => content.kind === 'data');
  const [first] = pieces;
  if (first !== undefined) return pieces.length === 1 ? first.data : pieces.map(({ data }) => data);
  const [kinds, advice] =
    textsInFiles.length > 0 ? ['text', VIEW_TEXT] : [kindsOf(parts), adviceFor(parts, 'text')];
  throw new A2AError('INVALID_PARAMS', `Artifact "${artifactId}" has no data, only ${kinds}. ${advice}`);
}

const VIEW_TEXT = 'Use viewTextArtifact instead.';

/** How to see what an artifact has instead. */
function adviceFor(parts: AnyArtifact['parts'], other: 'text' | 'data'): string {
  const kinds = new Set(contentsOfParts(parts).map(({ kind }) => kind));
  if (kinds.has(other)) return other === 'data' ? 'Use viewDataArtifact instead.' : VIEW_TEXT;
  return kinds.has('file')
    ? 'Use getTask: the file part says where the file is, or why it was not saved.'
    : 'Use getTask to see the task.';
}

/** Data that is too large for memory cannot be navigated, but its JSON can be read like a text. */
export async function refuseLargeData(
  { session, toolNames }: ToolContext,
  { artifactId, parts }: V03Artifact,
): Promise<void> {
  const contents = await Promise.all(parts.map((part) => largeContent(session.agents.largeParts, part)));
  if (!contents.some((content) => content?.kind === 'data')) return;
  const search = toolNames.has('searchArtifact') ? ', or searchArtifact without jsonPath and column' : '';
  throw new A2AError(
    'INVALID_PARAMS',
    `The data of artifact "${artifactId}" is too large to be navigated. Use viewTextArtifact with characterStart and characterEnd${search}.`,
  );
}

function kindsOf(parts: AnyArtifact['parts']): string {
  const kinds = new Set(contentsOfParts(parts).map(({ kind }) => kind));
  return kinds.size === 0 ? 'no parts' : [...kinds].toSorted().join(' and ');
}

/** Runs a selection and converts its errors to INVALID_PARAMS. */
export async function selectFrom<Selection>(
  select: () => Selection | Promise<Selection>,
): Promise<Selection> {
  try {
    return await select();
  } catch (error) {
    throw new A2AError('INVALID_PARAMS', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

const MAX_LABEL_LENGTH = 2_000;

/** Describes an artifact without its contents. */
export function describeArtifact(artifact: AnyArtifact): Omit<ArtifactForLLM, 'parts'> {
  const { artifactId, description, name } = artifact;
  return { artifactId, description: shortened(description), name: shortened(name && oneLine(name)) };
}

/** Returns the selected part of an artifact. Throws if it exceeds the budget: a selection is returned whole or not at all. */
function artifactReply({ budget, count }: ToolContext, artifact: AnyArtifact, part: PartForLLM): ToolResult {
  const reply = { ...describeArtifact(artifact), parts: [part] };
  const json = JSON.stringify(reply);
  const size = count === undefined ? json.length : count(json);
  if (size <= budget) return reply;
  throw new A2AError(
    'INVALID_PARAMS',
    `The selection has a size of ${formatCount(size)}, which exceeds the budget of ${formatCount(budget)}. Select less.`,
  );
}

function shortened(text: string | undefined): string | null {
  return text === undefined ? null : shortenText(text, MAX_LABEL_LENGTH);
}
