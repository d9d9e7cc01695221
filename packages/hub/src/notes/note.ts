/** The kinds of notes that agents write for a successor. */
export const NOTE_KINDS = ['done', 'remaining', 'decisions', 'questions', 'next', 'risk', 'error'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** What a report says, in the words of the reporter. */
export interface Note {
  kind: NoteKind;
  text: string;
  /** An item of a check list, which stays open until it is checked. */
  isItem?: true;
  /** It adds to what was noted before; without it, a list of what remains replaces the one before. */
  isAdded?: true;
  /** It says that there is nothing of this kind. */
  isNone?: true;
  /** The work waits for somebody or something. */
  isWaiting?: true;
  /** It takes back what was noted before with the same words: "was NOT migrated", "do NOT deploy". */
  takesBack?: true;
  /** It says that an earlier error is over. */
  resolves?: true | undefined;
  /** It says that something worked or is done, and not what. */
  isBare?: true;
  /** It is an action that cannot be undone or weakens a protection, which nobody called a risk. */
  isDanger?: true;
  /** It answers a question that was noted before. */
  answers?: true;
}
