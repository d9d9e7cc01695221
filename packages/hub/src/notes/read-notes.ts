import type { Note, NoteKind } from './note.ts';
import { addsToList, isAnswerLabel, kindOfLabel, meansNothing } from './note-words.ts';
import { notesOfSentence } from './clauses.ts';
import { isStatement, ordersReader } from './speech-acts.ts';

const HEADING = /^#{1,6}\s+/;
const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const CHECKED = /^(?:\[x\]\s|[✅✔☑✓]\ufe0f?)\s*/iu;
const UNCHECKED = /^(?:\[ \]\s|[⬜☐❌🔲⏳🚧]\ufe0f?)\s*/u;
/** Between a label and what it labels. */
const SEPARATOR = /[:：]| [-–—] /;
const LONGEST_LABEL = 40;
/** What a pattern looks at of a line. */
const LONGEST_LINE = 2_000;
const LONGEST_SENTENCE = 400;
/** Longer texts are contents, not reports. */
const LONGEST_REPORT = 4_000;

/**
 * Reads notes line by line: `Decision: keep the old parser`, `- [x] tokens`, `- [ ] errors`, and the lines below a heading such
 * as `## Remaining` or `Offen:`. A label counts at the beginning of a line and of every sentence in it.
 */
export class NoteReader {
  readonly #readsSentences: boolean;
  /** What the lines that follow are about. */
  #section: NoteKind | undefined;
  #isAfterItems = false;
  #isAfterBlank = false;
  #isCode = false;

  /** `readsSentences`: whether sentences without a label are read as well. */
  constructor({ readsSentences = false }: { readsSentences?: boolean } = {}) {
    this.#readsSentences = readsSentences;
  }

  read(line: string): Note[] {
    const trimmed = line.slice(0, LONGEST_LINE).trim();
    if (trimmed === '') {
      this.#isAfterBlank = this.#isAfterItems;
      return [];
    }
    if (trimmed.startsWith('```')) this.#isCode = !this.#isCode;
    const isHeading = HEADING.test(trimmed) || /^(\*\*|__).{1,60}\1:?$/.test(trimmed);
    const isItem = LIST_MARK.test(trimmed);
    const bare = trimmed
      .replace(HEADING, '')
      .replace(LIST_MARK, '')
      .replaceAll(/ (?:\*\*|__)(?=[^*_:]{1,40}:)/g, '; ')
      .replaceAll('**', '')
      .replaceAll('__', '');
    const checked = CHECKED.test(bare) ? 'done' : UNCHECKED.test(bare) ? 'remaining' : undefined;
    const text = bare.replace(CHECKED, '').replace(UNCHECKED, '');
    const label = labelIn(text, isHeading);
    if (label?.text === '') return this.#begin(label.kind);
    if (checked !== undefined) return item(checked, text);
    const segments = segmentsOf(text, label);
    if (segments.some((segment) => segment.label !== undefined)) {
      this.#begin(undefined);
      const last = segments.at(-1);
      // "Done: a. Remaining:" before a list.
      if (last?.kind !== undefined && last.text === '') this.#begin(last.kind);
      return segments.flatMap((segment) => this.#notesOf(segment));
    }
    if (isHeading) return this.#begin(undefined);
    if (this.#isAfterBlank && !isItem) this.#begin(undefined);
    if (this.#section === undefined) return this.#notesOf({ text });
    this.#isAfterItems = true;
    return labelled(this.#section, text, '');
  }

  #notesOf({ kind, text, label = '' }: Segment): Note[] {
    if (kind !== undefined) return text === '' ? [] : labelled(kind, text, label);
    if (isAnswerLabel(label)) return [{ kind: 'decisions', text: `${label}: ${text}`, answers: true }];
    return this.#readsSentences && !this.#isCode
      ? sentencesOf(text, LONGEST_SENTENCE).flatMap(notesOfSentence)
      : [];
  }

  #begin(section: NoteKind | undefined): Note[] {
    this.#section = section;
    this.#isAfterItems = false;
    this.#isAfterBlank = false;
    return [];
  }
}

/** A piece of a line: what follows a label, or what stands before the first one. */
interface Segment {
  readonly kind?: NoteKind | undefined;
  readonly label?: string;
  readonly text: string;
}

/** A label, `Done:` or `Done (3 of 10):`, and what follows it. */
function labelIn(
  line: string,
  isHeading: boolean,
): { kind: NoteKind; label: string; text: string } | undefined {
  const separator = SEPARATOR.exec(line.slice(0, LONGEST_LABEL));
  if (separator === null && !isHeading) return undefined;
  const label = labelText(line.slice(0, separator?.index ?? LONGEST_LABEL));
  const text = separator === null ? '' : line.slice(separator.index + separator[0].length);
  const kind = kindOfLabel(label, { isHeading: isHeading || text === '' });
  return kind && { kind, label, text: text.trim() };
}

function labelText(words: string): string {
  return words
    .trim()
    .replace(/\([^()]{0,30}\)$/, '')
    .trim();
}

/** Where a label may begin inside a line. */
const BEGINNING = /[.!?;。；！？|,]|\s[-–—/]/g;
/** A colon in a time, a URL or a name does not end a label. */
const LABEL_END = /[:：](?=\s|$)|：/g;

/** The line, cut where a known label begins. */
function segmentsOf(
  line: string,
  first: { kind: NoteKind; label: string; text: string } | undefined,
): Segment[] {
  const segments: Segment[] = [];
  let open: Segment = first ?? { text: line };
  let rest = first?.text ?? line;
  for (let from = 0; ;) {
    const found = nextLabel(rest, from, first === undefined && segments.length === 0);
    if (found === undefined) break;
    segments.push({ ...open, text: withoutEnd(rest.slice(0, found.start)) });
    open = found;
    rest = rest.slice(found.end);
    from = 0;
  }
  segments.push({ ...open, text: rest.trim() });
  return segments.filter(({ text, kind, label }) => text !== '' || kind !== undefined || label !== undefined);
}

interface FoundLabel extends Segment {
  readonly start: number;
  readonly end: number;
}

function nextLabel(text: string, from: number, mayBeginAtStart: boolean): FoundLabel | undefined {
  for (const { index } of text.matchAll(LABEL_END)) {
    if (index < from) continue;
    const before = text.slice(Math.max(0, index - LONGEST_LABEL), index);
    const begin = [...before.matchAll(BEGINNING)].at(-1);
    if (begin === undefined && (!mayBeginAtStart || index > LONGEST_LABEL)) continue;
    const words = begin === undefined ? before : before.slice(begin.index + begin[0].length);
    const label = labelText(words);
    const kind = kindOfLabel(label, { isHeading: false });
    if (kind === undefined && !isAnswerLabel(label)) continue;
    return { kind, label, text: '', start: index - words.length, end: index + 1 };
  }
  return undefined;
}

function withoutEnd(text: string): string {
  return text
    .trim()
    .replace(/[.;,|/–—。；-]$/u, '')
    .trim();
}

/** What follows a label. Sentences after the first count as what they say themselves. */
function labelled(kind: NoteKind, text: string, label: string): Note[] {
  if (meansNothing(text)) return [{ kind, text: text.trim(), isNone: true }];
  const flags = {
    ...(addsToList(label) && { isAdded: true as const }),
    ...(/^(?:fixed|resolved|solved)$/i.test(label) && { resolves: true as const }),
  };
  const [first = '', ...rest] = sentencesOf(text);
  if (ordersReader(first)) return [];
  const own = kind === 'done' ? clausesOfDone(first) : [{ kind, text: first }];
  const notes: Note[] = own.map((each) => ({ ...flags, ...each }));
  if (rest.length > 0) for (const each of notes) each.text = each.text.replace(/\.$/, '');
  for (const sentence of rest) {
    const said = notesOfSentence(sentence).filter((note) => note.kind !== kind || !EXPLAINED.has(kind));
    const [lead] = notes;
    if (said.length > 0) notes.push(...said);
    else if (EXPLAINED.has(kind) && lead !== undefined && !ordersReader(sentence))
      lead.text += `. ${sentence}`;
    else if (!isStatement(sentence) && !ordersReader(sentence))
      notes.push({ ...flags, kind, text: sentence });
  }
  return notes;
}

/** Kinds whose further sentences explain the first one. */
const EXPLAINED: ReadonlySet<NoteKind> = new Set(['risk', 'decisions', 'questions', 'error']);

/** "Done: a, b is left": what is open is not done. */
function clausesOfDone(text: string): Note[] {
  const clauses = text.split(/, | but | aber | pero | mais /);
  const open = clauses.filter((clause) => notesOfSentence(clause).some(({ kind }) => kind === 'remaining'));
  if (open.length === 0) return itemsOf(text).map((each) => ({ kind: 'done', text: each }));
  const done = clauses.filter((clause) => !open.includes(clause)).join(', ');
  return [
    ...(done === '' ? [] : [{ kind: 'done' as const, text: done }]),
    ...open.map((clause) => ({ kind: 'remaining' as const, text: clause, isAdded: true as const })),
  ];
}

/** A list of phrases. Single words, and the rest of a sentence, are not items by themselves. */
const LISTS_PHRASES = /^[^\s,.:;]+(?: [^\s,.:;]+){1,3}(?:, (?:and )?[^\s,.:;]+(?: [^\s,.:;]+){1,3})+\.?$/u;

/** The items of `step 3, step 4`, each of which can be taken back by itself. */
function itemsOf(text: string): string[] {
  return LISTS_PHRASES.test(text) ? text.split(/, (?:and )?/) : [text];
}

function item(kind: 'done' | 'remaining', text: string): Note[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [{ kind, text: trimmed, isItem: true }];
}

/** After a full stop, but not after an abbreviation or a single letter. */
const SENTENCE_END =
  /(?<=[.!?])(?<!\b(?:e\.g|i\.e|approx|vs|etc|no|nr|ca|bzw|z\.b|d\.h|resp|incl|sr|dr|mr|mrs|ej)\.)\s+|(?<=[。！？])/iu;
/** The sentences of a line. Those that are too long to be reports of work are left out, except after a label. */
function sentencesOf(line: string, longest = Infinity): string[] {
  return line
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim().replace(LIST_MARK, ''))
    .filter((sentence) => sentence !== '' && sentence.length <= longest);
}

/** The notes in a text: in its check lists and labels, and in the sentences without any. */
export function notesOfText(text: string): Note[] {
  const reader = new NoteReader({ readsSentences: text.length <= LONGEST_REPORT });
  return text.split('\n').flatMap((line) => reader.read(line));
}

/** The notes in the sentences of contents that mark nothing. What they say of errors and questions is not a report. */
export function notesOfSentences(text: string): Note[] {
  if (text.length > LONGEST_REPORT) return [];
  return text
    .split('\n')
    .flatMap((line) => sentencesOf(line, LONGEST_SENTENCE))
    .flatMap(notesOfSentence)
    .filter(({ kind }) => kind !== 'error' && kind !== 'questions');
}
