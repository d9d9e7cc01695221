import { mayBeDone } from './finished-work.ts';
import type { Note } from './note.ts';
import { notesOfClause } from './sentence-notes.ts';
import { ellipsisIn } from './speech-acts.ts';

/*
 * A sentence may say of one thing that it is done and of another that it is not. Each of its clauses is read for itself, and a
 * clause that only denies is read with what it denies.
 */

/** Where a contrast or a new statement of the reporter begins. */
const CONTRAST =
  /;\s+|,? (?=(?:but|aber|pero|mais|jedoch|however)\s)|, (?=(?:sondern|sino|mas|ma|но|doch|yet|while|whereas|though|although|allerdings|cependant|porém|però|однако)\s)|,\s+(?=(?:and |so |then )?(?:i|we)(?:'|\s))/iu;
const COMMA = /, | (?=e o \p{L}|e a \p{L}| y el | y la )|、|，/u;

/** The notes in a sentence. */
export function notesOfSentence(sentence: string): Note[] {
  const clauses = sentence
    .split(CONTRAST)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
    .flatMap((clause) => clausesThatDiffer(clause));
  let notes = clauses.flatMap((clause, index) => {
    const denied = ellipsisIn(clause);
    const next = clauses[index + 1];
    if (next !== undefined && ellipsisIn(next) === 'of that') return [denial(sentence)];
    if (denied === 'of that' && index > 0) return [];
    if (denied === 'of its subject' && (index > 0 || ENDS_IN_NOT.test(clause)) && !isTrouble(clause))
      return [denial(sentence)];
    return notesOfClause(clause).map((note) => (isWhole(note, clause) ? note : { ...note, text: sentence }));
  });
  // `; done` ends a loop of a shell.
  if (clauses.length > 1) notes = notes.filter(({ isBare }) => isBare !== true);
  const isPartly = notes.some(({ kind, isNone }) => kind === 'remaining' && isNone !== true);
  return isPartly ? notes.map((note) => ({ ...note, resolves: undefined })) : notes;
}

/** In a sentence of one clause, other words at its end mean something else. */
const ENDS_IN_NOT = /(?:n't|(?<!\p{L})not(?: yet)?)[.!]*$/iu;

function denial(sentence: string): Note {
  return { kind: 'remaining', text: sentence, isAdded: true, takesBack: true };
}

function isTrouble(clause: string): boolean {
  return notesOfClause(clause).some(({ kind }) => kind === 'error' || kind === 'risk');
}

/** A clause that begins with a word for something before it says nothing without the sentence. */
const REFERS_BACK =
  /^(?:(?:but|aber|pero|mais|mas|ma|но|sondern|and|still) )?(?:\d|(?:it|they|this|that|these|those|he|she|es|sie|er|ello|il|elle|ele|ela|not|noch|nicht|no|todavía|aún|pas|não|ainda|non|не|ещё|ha[st]|have|is|are|was|were)(?!\p{L}))/iu;

function isWhole(note: Note, clause: string): boolean {
  return note.text !== clause || note.kind === 'done' || note.kind === 'next' || !REFERS_BACK.test(clause);
}

/** The pieces of a clause between commas, if some say that something is done and others that something is not. */
function clausesThatDiffer(clause: string): string[] {
  const pieces = clause.split(COMMA);
  if (pieces.length < 2 || ![clause, ...pieces].some((piece) => mayBeDone(piece))) return [clause];
  if (notesOfClause(clause).some(({ kind, text }) => kind === 'done' && text !== clause)) return [clause];
  const groups: { text: string; says: Polarity | undefined }[] = [];
  for (const piece of pieces) {
    const says = polarityOf(piece);
    const last = groups.at(-1);
    if (last === undefined || (says !== undefined && last.says !== undefined && says !== last.says))
      groups.push({ text: piece, says });
    else {
      last.text += `, ${piece}`;
      last.says ??= says;
    }
  }
  return groups.some(({ says }) => says === 'done') ? groups.map(({ text }) => text) : [clause];
}

type Polarity = 'done' | 'open' | 'trouble';

function polarityOf(piece: string): Polarity | undefined {
  const notes = notesOfClause(piece);
  const says = (...kinds: readonly Note['kind'][]): boolean => notes.some(({ kind }) => kinds.includes(kind));
  if (says('remaining', 'next') || ellipsisIn(piece) !== undefined) return 'open';
  if (says('error', 'risk')) return 'trouble';
  return says('done') ? 'done' : undefined;
}
