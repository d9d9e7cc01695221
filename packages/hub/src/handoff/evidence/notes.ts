import type { JsonObject, Part, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { isBareText } from '@holdword/protocol/internal';
import { z } from 'zod';
import { NOTE_KINDS, type NoteKind } from './evidence.ts';
import { kindOfLabel, kindOfSentence } from './note-words.ts';

export interface Note {
  kind: NoteKind;
  text: string;
  /** An item of a check list, which stays open until it is checked. */
  isItem?: true;
}

/** The key under which metadata and data parts carry structured notes. */
const NOTES_FIELD = 'handoff_notes';

const someTexts = z.union([z.string().transform((text) => [text]), z.array(z.string())]).optional();
const notesSchema = z.object(
  Object.fromEntries(NOTE_KINDS.map((kind) => [kind, someTexts])) as Record<NoteKind, typeof someTexts>,
);

const HEADING = /^#{1,6}\s+/;
const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const CHECKED = /^(?:\[x\]\s|[✅✔☑✓]\ufe0f?)\s*/iu;
const UNCHECKED = /^(?:\[ \]\s|[⬜☐❌🔲⏳🚧]\ufe0f?)\s*/u;
/** Between a label and what it labels. */
const SEPARATOR = /[:：]| [-–—] /;
const LONGEST_LABEL = 40;
/** What a pattern looks at of a line. */
const LONGEST_LINE = 2_000;

/**
 * Reads notes line by line: `Decision: keep the old parser`, `- [x] tokens`, `- [ ] errors`, and the lines below a heading such
 * as `## Remaining` or `Offen:`.
 */
export class NoteReader {
  /** What the lines that follow are about. */
  #section: NoteKind | undefined;
  #isAfterItems = false;
  #isAfterBlank = false;

  read(line: string): Note[] {
    const trimmed = line.slice(0, LONGEST_LINE).trim();
    if (trimmed === '') {
      this.#isAfterBlank = this.#isAfterItems;
      return [];
    }
    const isHeading = HEADING.test(trimmed) || /^(\*\*|__).{1,60}\1:?$/.test(trimmed);
    const isItem = LIST_MARK.test(trimmed);
    const bare = trimmed
      .replace(HEADING, '')
      .replace(LIST_MARK, '')
      .replaceAll('**', '')
      .replaceAll('__', '');
    const checked = CHECKED.test(bare) ? 'done' : UNCHECKED.test(bare) ? 'remaining' : undefined;
    const text = bare.replace(CHECKED, '').replace(UNCHECKED, '');
    const label = labelIn(text, isHeading);
    if (label?.text === '') return this.#begin(label.kind);
    if (checked !== undefined) return note(checked, text, true);
    if (label !== undefined) {
      this.#begin(undefined);
      return note(label.kind, label.text);
    }
    if (isHeading || (this.#isAfterBlank && !isItem)) return this.#begin(undefined);
    if (this.#section === undefined) return [];
    this.#isAfterItems = true;
    return note(this.#section, text);
  }

  #begin(section: NoteKind | undefined): Note[] {
    this.#section = section;
    this.#isAfterItems = false;
    this.#isAfterBlank = false;
    return [];
  }
}

/** A label, `Done:` or `Done (3 of 10):`, and what follows it. */
function labelIn(line: string, isHeading: boolean): { kind: NoteKind; text: string } | undefined {
  const separator = SEPARATOR.exec(line.slice(0, LONGEST_LABEL));
  if (separator === null && !isHeading) return undefined;
  const label = line
    .slice(0, separator?.index ?? LONGEST_LABEL)
    .trim()
    .replace(/\([^()]{0,30}\)$/, '');
  const text = separator === null ? '' : line.slice(separator.index + separator[0].length);
  const kind = kindOfLabel(label.trim(), { isHeading: isHeading || text === '' });
  return kind && { kind, text: text.trim() };
}

/** Longer texts are contents, not reports. */
const LONGEST_REPORT = 4_000;
const LONGEST_SENTENCE = 400;

/** The notes in a text: in its lines or, if it marks none, in its sentences. */
export function notesOfText(text: string): Note[] {
  const reader = new NoteReader();
  const notes = text.split('\n').flatMap((line) => reader.read(line));
  return notes.length > 0 ? notes : notesOfSentences(text);
}

/** The notes in sentences such as `Batches 4 to 10 are still missing.` */
export function notesOfSentences(text: string): Note[] {
  if (text.length > LONGEST_REPORT) return [];
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().replace(LIST_MARK, ''))
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE)
    .flatMap((sentence) => {
      const kind = kindOfSentence(sentence);
      return kind === undefined ? [] : note(kind, sentence);
    });
}

/** The notes in parts: in text, and as data under `handoff_notes`. */
export function notesOfParts(parts: readonly Part[]): Note[] {
  return parts.flatMap(({ text, data }) => (text === undefined ? notesOfField(data) : notesOfText(text)));
}

/** The notes in metadata under `handoff_notes`. */
export function notesOfMetadata(metadata: JsonObject | undefined): Note[] {
  return metadata === undefined ? [] : notesOfField(metadata);
}

function note(kind: NoteKind, text: string, isItem = false): Note[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [{ kind, text: trimmed, ...(isItem && { isItem: true as const }) }];
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
