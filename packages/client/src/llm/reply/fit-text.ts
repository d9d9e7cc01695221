import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { cutText } from '../../artifacts/text/cut-text.ts';
import { countLineBreaks } from '../../artifacts/text/lines.ts';
import { withTip } from '../../artifacts/text/minimize-text.ts';
import type { TextPartForLLM } from '../for-llm.ts';
import { fits, largestForm, type Fittable } from './fittable.ts';

/** With less of the text than this, saying where it lies takes more room than the text. */
const SHORTEST_CUT = 400;

/** A text: whole, its beginning and end, or the beginning alone. */
export function fittableText(
  text: string,
  options: { characterLimit: number; tip: string | null | undefined },
): Fittable<TextPartForLLM> {
  let lines: number | undefined;
  const cut = (limit: number): TextPartForLLM => {
    lines ??= countLineBreaks(text) + 1;
    return { kind: 'text', ...withTip(cutText(text, lines, limit), options.tip) };
  };
  const beginning = (amount: number): TextPartForLLM => ({ kind: 'text', text: shortenText(text, amount) });
  const full: TextPartForLLM =
    text.length <= options.characterLimit ? { kind: 'text', text } : cut(options.characterLimit);
  const shortest = compactJsonLength(beginning(0));
  return {
    full,
    least: Math.min(shortest, compactJsonLength(full, shortest)),
    fit(length) {
      if (fits(full, length)) return full;
      const most = Math.min(text.length, length);
      const middleLeftOut = length < SHORTEST_CUT * 2 ? undefined : largestForm(most, length, cut);
      return middleLeftOut ?? largestForm(most, length, beginning) ?? beginning(0);
    },
  };
}
