import { createHash } from 'node:crypto';
import {
  textOfParts,
  type Artifact,
  type JsonObject,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from '@holdword/protocol';
import { applyArtifactUpdate, canonicalJson, messageSchema } from '@holdword/protocol/internal';
import type { CommittedEvent } from '@holdword/store';
import { z } from 'zod';
import { AGENT_ENDED } from '../keep-for-successor.ts';
import { ADVICE_MARK } from '../../wire/advice-mark.ts';
import type { Note } from '../../notes/note.ts';
import { notesOfSentences } from '../../notes/read-notes.ts';
import type { ArtifactEvidence, Fact, PartDigest } from './evidence.ts';
import { reportedWords } from './reported-words.ts';
import { ArtifactNotes, notesOfMetadata, notesOfParts, type SequencedNote } from './notes.ts';

/** A note in the journal with its source. */
export type NotedFact = Fact & Note;

/** The facts in a journal, before any conclusions. */
export interface Collected {
  request: Fact | null;
  /** What the user wrote, in journal order: the request, and what followed it. */
  messages: Fact[];
  /** Whether the hub itself answered: then the answer is advice, and says nothing of the work. */
  isAdvice: boolean;
  /** In journal order, without duplicates. */
  notes: NotedFact[];
  progress: Fact[];
  /** The final answer, or the agent's last status message. */
  outcome: Fact | null;
  /** A question that has not been answered. */
  question: Fact | null;
  error: Fact | null;
  artifacts: ArtifactEvidence[];
  omitted: Record<string, number>;
}

/** With the ellipsis. Longer texts are truncated: models read the packet, and the journal has the full text. */
const MAX_TEXT_LENGTH = 1_001;
const MAX_PROGRESS = 50;
const MAX_FILES = 20;

const internalSchema = z.object({ input: messageSchema.optional() });

/**
 * Reads the events of one task in order and collects what a successor needs.
 *
 * Responsible for every fact being in the journal, verbatim, at the sequence number it names.
 * Leaves conclusions to `concludeEvidence`.
 */
export class EvidenceCollector {
  readonly #taskId: string;
  readonly #notes: NotedFact[] = [];
  readonly #progress: Fact[] = [];
  readonly #messages: Fact[] = [];
  readonly #files: ArtifactEvidence[] = [];
  readonly #grown: Task;
  readonly #artifacts = new Map<string, Artifact>();
  readonly #artifactNotes = new Map<string, ArtifactNotes>();
  readonly #updates = new Map<string, { sequence: number; closed: boolean }>();
  #isAdvice = false;
  #progressOmitted = 0;
  #request: Fact | null = null;
  #outcome: Fact | null = null;
  #question: Fact | null = null;
  #error: Fact | null = null;

  constructor(taskId: string) {
    this.#taskId = taskId;
    this.#grown = { id: taskId, contextId: '', status: { state: 'TASK_STATE_SUBMITTED' } };
  }

  apply({ json, internal, sequence }: CommittedEvent): void {
    const event = JSON.parse(json) as StreamResponse;
    const input = internal === undefined ? undefined : internalSchema.parse(JSON.parse(internal)).input;
    if (input !== undefined) this.#takeInput(input, sequence);
    if ('task' in event) this.takeTask(event.task, sequence);
    else if ('statusUpdate' in event) this.#takeStatus(event.statusUpdate, sequence);
    else if ('artifactUpdate' in event) this.#takeArtifact(event.artifactUpdate, sequence);
  }

  /** Applies a whole task: the first event, or a snapshot that replaces deleted events. */
  takeTask(task: Task, sequence: number): void {
    const [first, ...further] = (task.history ?? []).filter(({ role }) => role === 'ROLE_USER');
    if (first !== undefined) {
      this.#request = this.#fact(textOfParts(first.parts), 'user', sequence);
      this.#messages.push(this.#request);
      this.#addFiles(first, sequence);
      this.#addNotes(notesOf(first), 'user', sequence);
    }
    for (const message of further) this.#takeInput(message, sequence);
    for (const artifact of task.artifacts ?? []) {
      this.#takeArtifact({ taskId: task.id, contextId: task.contextId, artifact }, sequence);
    }
    const { status } = task;
    this.#takeStatus({ taskId: task.id, contextId: task.contextId, status }, sequence);
  }

  collected(): Collected {
    const artifacts = [...this.#artifacts.values()].map((artifact) => this.#artifactEvidence(artifact));
    const inArtifacts = [...this.#artifacts.values()].flatMap((artifact) => this.#notesOfArtifact(artifact));
    const notes = [
      ...this.#notes,
      ...inArtifacts.map(({ text, sequence, ...each }) => ({
        ...each,
        ...this.#fact(text, 'agent', sequence),
      })),
    ];
    return {
      request: this.#request,
      messages: this.#messages,
      isAdvice: this.#isAdvice,
      notes: saidOnce(notes),
      progress: this.#progress,
      outcome: this.#outcome,
      question: this.#question,
      error: this.#error,
      artifacts: [...this.#files, ...artifacts],
      omitted: this.#progressOmitted === 0 ? {} : { progress: this.#progressOmitted },
    };
  }

  #takeInput(message: Message, sequence: number): void {
    this.#question = null;
    this.#messages.push(this.#fact(textOfParts(message.parts), 'user', sequence));
    this.#addFiles(message, sequence);
    this.#addNotes(notesOf(message), 'user', sequence);
  }

  #takeStatus({ status, metadata }: TaskStatusUpdateEvent, sequence: number): void {
    const { message, state } = status;
    if (this.#isAdvice) return;
    this.#addNotes(notesOfMetadata(metadata), 'agent', sequence);
    if (message === undefined) return;
    this.#addNotes(notesOf(message), 'agent', sequence);
    // The parts after the reason are instructions for the reader of the task.
    const parts = saysAgentEnded(message.metadata) ? message.parts.slice(0, 1) : message.parts;
    const text = textOfParts(parts);
    if (text === '') return;
    const fact = this.#fact(text, 'agent', sequence);
    if (state === 'TASK_STATE_WORKING') this.#addProgress(fact);
    else if (state === 'TASK_STATE_FAILED' || saysAgentEnded(message.metadata)) this.#error = fact;
    else if (state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED') {
      this.#question = fact;
    } else this.#outcome = fact;
  }

  #takeArtifact(update: TaskArtifactUpdateEvent, sequence: number): void {
    const { artifactId, metadata } = update.artifact;
    if (metadata?.[ADVICE_MARK] === true) {
      this.#isAdvice = true;
      return;
    }
    applyArtifactUpdate(this.#grown, this.#artifacts, update);
    this.#updates.set(artifactId, { sequence, closed: update.lastChunk === true });
    const notes = this.#artifactNotes.get(artifactId) ?? new ArtifactNotes();
    notes.apply(update, sequence);
    this.#artifactNotes.set(artifactId, notes);
  }

  #notesOfArtifact({ artifactId, parts }: Artifact): readonly SequencedNote[] {
    const notes = this.#artifactNotes.get(artifactId)?.notes() ?? [];
    if (notes.length > 0) return notes;
    const { sequence } = this.#updates.get(artifactId) ?? { sequence: 1 };
    return notesOfSentences(textOfParts(parts)).map((each) => ({ ...each, sequence }));
  }

  #artifactEvidence(artifact: Artifact): ArtifactEvidence {
    const { sequence, closed } = this.#updateOf(artifact);
    return {
      artifact_id: artifact.artifactId,
      name: artifact.name ?? null,
      complete: closed,
      parts: digestParts(artifact.parts),
      fetch: { method: 'tasks/get', params: { id: this.#taskId } },
      source: { task_id: this.#taskId, sequence },
    };
  }

  #updateOf({ artifactId }: Artifact): { sequence: number; closed: boolean } {
    return this.#updates.get(artifactId) ?? { sequence: 1, closed: false };
  }

  /** Files and data in a message are evidence as well: what was made, or what the work is about. */
  #addFiles({ messageId, parts }: Message, sequence: number): void {
    for (const [index, part] of parts.entries()) {
      if (part.text !== undefined) continue;
      if (this.#files.length === MAX_FILES) return;
      this.#files.push({
        artifact_id: `${messageId}/${index}`,
        name: part.filename ?? null,
        complete: true,
        parts: digestParts([part]),
        fetch: { method: 'tasks/get', params: { id: this.#taskId } },
        source: { task_id: this.#taskId, sequence },
      });
    }
  }

  #addProgress(fact: Fact): void {
    this.#progress.push(fact);
    if (this.#progress.length <= MAX_PROGRESS) return;
    this.#progress.shift();
    this.#progressOmitted += 1;
  }

  #addNotes(notes: readonly Note[], by: Fact['by'], sequence: number): void {
    for (const { text, ...each } of notes) this.#notes.push({ ...each, ...this.#fact(text, by, sequence) });
  }

  #fact(text: string, by: Fact['by'], sequence: number): Fact {
    return { text: reportedWords(text, MAX_TEXT_LENGTH), by, source: { task_id: this.#taskId, sequence } };
  }
}

/** Sorts by journal order and removes duplicates: an answer can be both in an artifact and in the final status. */
function saidOnce(notes: readonly NotedFact[]): NotedFact[] {
  const known = new Set<string>();
  return notes
    .toSorted((left, right) => left.source.sequence - right.source.sequence)
    .filter(({ kind, text }) => {
      const name = `${kind}\n${text}`;
      return known.has(name) ? false : known.add(name);
    });
}

function notesOf({ parts, metadata }: Message): Note[] {
  return [...notesOfParts(parts), ...notesOfMetadata(metadata)];
}

function saysAgentEnded(metadata: JsonObject | undefined): boolean {
  return metadata?.['reason'] === AGENT_ENDED;
}

/** The digest of each part, so that a successor can verify that it has the same content. */
export function digestParts(parts: readonly Part[]): PartDigest[] {
  return parts.map((part) => {
    const { kind, content } = contentOf(part);
    return {
      kind,
      media_type: part.mediaType ?? null,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  });
}

function contentOf(part: Part): { kind: PartDigest['kind']; content: Buffer } {
  if (part.text !== undefined) return { kind: 'text', content: Buffer.from(part.text) };
  if (part.raw !== undefined) return { kind: 'raw', content: Buffer.from(part.raw, 'base64') };
  if (part.url !== undefined) return { kind: 'url', content: Buffer.from(part.url) };
  return { kind: 'data', content: Buffer.from(canonicalJson(part.data)) };
}
