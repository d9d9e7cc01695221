import type { Part, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { isBareText } from '@holdword/protocol/internal';
import { notesOfMetadata, notesOfParts, notesOfText, type Note } from './read-notes.ts';

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
  /** The incomplete last line, and the event with its newest piece. */
  #line = '';
  #lineSequence = 0;

  apply({ artifact, append }: TaskArtifactUpdateEvent, sequence: number): void {
    if (append !== true) {
      this.#notes = [];
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
      this.#add(notesOfText(this.#line + part.text.slice(0, end)), sequence);
      this.#line = part.text.slice(end + 1);
    }
    this.#lineSequence = sequence;
  }

  #endLine(): void {
    this.#add(notesOfText(this.#line), this.#lineSequence);
    this.#line = '';
  }

  #add(notes: readonly Note[], sequence: number): void {
    for (const note of notes) this.#notes.push({ ...note, sequence });
  }
}
