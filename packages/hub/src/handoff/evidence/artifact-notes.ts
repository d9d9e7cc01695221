import type { Part, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { isBareText } from '@holdword/protocol/internal';
import { notesOfMetadata, notesOfParts, notesOfText, type Note } from './read-notes.ts';

/** A note and the event with which it was complete. */
export interface SequencedNote extends Note {
  readonly sequence: number;
}

/**
 * The notes in one artifact while it grows: a line that comes in pieces is read when it has ended, so that an update costs
 * its own length. What replaces an artifact replaces its notes.
 */
export class ArtifactNotes {
  #notes: SequencedNote[] = [];
  /** The line that has not ended, and the event that brought its newest piece. */
  #line = '';
  #lineSequence = 0;

  apply({ artifact, append }: TaskArtifactUpdateEvent, sequence: number): void {
    if (append !== true) {
      this.#notes = [];
      this.#line = '';
    }
    for (const [index, part] of artifact.parts.entries()) {
      // A text that is appended goes on with the one before it; every other part begins anew.
      if (append !== true || !isBareText(part)) this.#endLine();
      this.#addPart(part, sequence);
      if (append !== true && index < artifact.parts.length - 1) this.#endLine();
    }
    this.#add(notesOfMetadata(artifact.metadata), sequence);
  }

  /** All notes so far, also that of a line which never ended. */
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
