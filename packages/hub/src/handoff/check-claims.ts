/**
 * Checks what a model says about a session against the journal. A claim passes if the event that it names exists, if the line
 * that it quotes stands there word for word, and if the claim has no word, and above all no number, that this line lacks.
 *
 * So a model can choose, shorten and order what was said; it cannot add, negate or combine. A line that says what remains cannot
 * be told as done, because the word is not in it, and the "not" of a line cannot be left out.
 */
import { shorten } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { Fact, Source } from './evidence/evidence.ts';

/** With the ellipsis. */
const MAX_CLAIM_LENGTH = 301;
const MAX_CLAIMS = 20;
const MAX_REJECTED = 5;

const claimSchema = z.object({
  text: z.string().min(1),
  quote: z.string().min(1),
  task_id: z.string(),
  sequence: z.number().int(),
});

/** What a model answers with. */
export const answerSchema = z.object({
  remember: z.array(claimSchema).min(1).max(MAX_CLAIMS),
  next_action: claimSchema.nullish(),
  risk: claimSchema.nullish(),
});

export type ModelAnswer = z.infer<typeof answerSchema>;
type Claim = z.infer<typeof claimSchema>;

/** A claim that the journal bears out. */
export interface CheckedClaim {
  readonly text: string;
  /** The line that it was checked against. */
  readonly quote: string;
  readonly source: Source;
}

export interface RejectedClaim {
  readonly text: string;
  readonly reason: string;
}

/** The claims of one answer, checked. */
export class ClaimChecker {
  readonly rejected: RejectedClaim[] = [];
  rejectedCount = 0;
  readonly #transcript: readonly Fact[];

  constructor(transcript: readonly Fact[]) {
    this.#transcript = transcript;
  }

  /** The claim, shortened, or undefined if it does not hold. */
  check(claim: Claim): CheckedClaim | undefined {
    const reason = this.#whyNot(claim);
    if (reason === undefined) {
      const { text, quote, task_id, sequence } = claim;
      return {
        text: shorten(oneLine(text), MAX_CLAIM_LENGTH),
        quote: shorten(oneLine(quote), MAX_CLAIM_LENGTH),
        source: { task_id, sequence },
      };
    }
    this.rejectedCount += 1;
    if (this.rejected.length < MAX_REJECTED)
      this.rejected.push({ text: shorten(oneLine(claim.text), MAX_CLAIM_LENGTH), reason });
    return undefined;
  }

  #whyNot({ text, quote, task_id, sequence }: Claim): string | undefined {
    const said = this.#transcript.filter(
      ({ source }) => source.task_id === task_id && source.sequence === sequence,
    );
    if (said.length === 0) return 'There is no such event.';
    const wanted = oneLine(quote).toLowerCase();
    const line = said
      .flatMap((fact) => statementsOf(fact.text))
      .find((each) => each.toLowerCase().includes(wanted));
    if (line === undefined) return 'The event does not say what is quoted.';
    const known = new Set(wordsOf(line));
    const told = wordsOf(text);
    const added = told.find((word) => !known.has(word) && !CONNECTING.has(word));
    if (added !== undefined) return `The quoted line does not say ${JSON.stringify(added)}.`;
    const dropped = wordsOf(line).find((word) => NEGATING.test(word) && !told.includes(word));
    return dropped === undefined
      ? undefined
      : `The claim leaves out ${JSON.stringify(dropped)}, which its line says.`;
  }
}

/** The lines of a text, and the sentences of a line: what is said in one may be the opposite of the next. */
function statementsOf(text: string): string[] {
  return text
    .split(/\n|(?<=[.!?;。！？；])\s/u)
    .map(oneLine)
    .filter((line) => line !== '');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

function wordsOf(text: string): string[] {
  return [...WORDS.segment(text.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

/** Words that turn a sentence into its opposite, in the languages that reports are read in. */
const NEGATING =
  /^(?:not|no|never|none|nothing|without|cannot|\p{L}+n['’]t|nicht|kein\p{L}*|nie|ohne|nichts|non|ne|pas|jamais|sans|rien|sin|nunca|nada|não|nao|sem|не|нет|没有|没|不|未|なし|ない|없음|안)$/u;

/** Words that claim nothing. No word of negation, order or completeness is among them. */
const CONNECTING = new Set(
  'the a an of to and in on at for with by is are was were be it its this that'.split(' '),
);
