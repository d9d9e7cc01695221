import type { JsonObject, Part, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { isBareText } from '@holdword/protocol/internal';
import { z } from 'zod';
import { NOTE_KINDS, type Note, type NoteKind } from '../../notes/note.ts';
import { meansNothing } from '../../notes/note-words.ts';
import { NoteReader, notesOfText } from '../../notes/read-notes.ts';

/** The key under which metadata and data parts carry structured notes. */
const NOTES_FIELD = 'handoff_notes';

const someTexts = z.union([z.string().transform((text) => [text]), z.array(z.string())]).optional();
const notesSchema = z.object(
  Object.fromEntries(NOTE_KINDS.map((kind) => [kind, someTexts])) as Record<NoteKind, typeof someTexts>,
);

/** The notes in parts: in text, and as data under `handoff_notes`. */
export function notesOfParts(parts: readonly Part[]): Note[] {
  return parts.flatMap(({ text, data }) => (text === undefined ? notesOfField(data) : notesOfText(text)));
}

/** The notes in metadata under `handoff_notes`. */
export function notesOfMetadata(metadata: JsonObject | undefined): Note[] {
  return metadata === undefined ? [] : notesOfField(metadata);
}

function note(kind: NoteKind, text: string): Note[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  return [{ kind, text: trimmed, ...(meansNothing(trimmed) && { isNone: true as const }) }];
}

function notesOfField(holder: unknown): Note[] {
  if (typeof holder !== 'object' || holder === null || !(NOTES_FIELD in holder)) return [];
  const notes = notesSchema.safeParse(holder[NOTES_FIELD]);
  if (!notes.success) return [];
  return NOTE_KINDS.flatMap((kind) => (notes.data[kind] ?? []).flatMap((text) => note(kind, text)));
}

/** A note and the sequence number of the event that completed it. */
export interface SequencedNote extends Note {
  readonly sequence: number;
}

/**
 * The notes in one artifact as it grows: a line that arrives in pieces is read when it is complete, so that an update costs
 * O(update). Replacing an artifact replaces its notes.
 */
export class ArtifactNotes {
  #notes: SequencedNote[] = [];
  #reader = new NoteReader();
  /** The incomplete last line, and the event with its newest piece. */
  #line = '';
  #lineSequence = 0;

  apply({ artifact, append }: TaskArtifactUpdateEvent, sequence: number): void {
    if (append !== true) {
      this.#notes = [];
      this.#reader = new NoteReader();
      this.#line = '';
    }
    for (const [index, part] of artifact.parts.entries()) {
      // Appended text continues the previous text; every other part starts a new line.
      if (append !== true || !isBareText(part)) this.#endLine();
      this.#addPart(part, sequence);
      if (append !== true && index < artifact.parts.length - 1) this.#endLine();
    }
    this.#add(notesOfMetadata(artifact.metadata), sequence);
  }

  /** All notes so far, including the incomplete last line. */
  notes(): readonly SequencedNote[] {
    this.#endLine();
    return this.#notes;
  }

  #addPart(part: Part, sequence: number): void {
    if (part.text === undefined) {
      this.#add(notesOfParts([part]), sequence);
      return;
    }
    if (part.text === '') return;
    const end = part.text.lastIndexOf('\n');
    if (end === -1) this.#line += part.text;
    else {
      this.#addLines(this.#line + part.text.slice(0, end), sequence);
      this.#line = part.text.slice(end + 1);
    }
    this.#lineSequence = sequence;
  }

  #endLine(): void {
    if (this.#line !== '') this.#addLines(this.#line, this.#lineSequence);
    this.#line = '';
  }

  #addLines(lines: string, sequence: number): void {
    for (const line of lines.split('\n')) this.#add(this.#reader.read(line), sequence);
  }

  #add(notes: readonly Note[], sequence: number): void {
    for (const each of notes) this.#notes.push({ ...each, sequence });
  }
}
