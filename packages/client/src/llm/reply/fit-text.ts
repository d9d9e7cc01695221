import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { cutText } from '../../artifacts/text/cut-text.ts';
import { countLineBreaks } from '../../artifacts/text/lines.ts';
import { withTip } from '../../artifacts/text/minimize-text.ts';
import type { TextPartForLLM } from '../for-llm.ts';
import { largestForm, once, type Fittable } from './fittable.ts';

/** With less room than this, saying where the pieces of a text lie takes more of it than the text. */
const MIN_CUT_LENGTH = 800;

/** A text: whole, its beginning and end, or the beginning alone. */
export function fittableText(
  text: string,
  options: { characterLimit: number; tip: string | null | undefined },
): Fittable<TextPartForLLM> {
  const lines = once(() => countLineBreaks(text) + 1);
  const cut = (limit: number): TextPartForLLM => ({
    kind: 'text',
    ...withTip(cutText(text, lines(), limit), options.tip),
  });
  const beginning = (amount: number): TextPartForLLM => ({ kind: 'text', text: shortenText(text, amount) });
  const full = once((): TextPartForLLM =>
    text.length <= options.characterLimit ? { kind: 'text', text } : cut(options.characterLimit),
  );
  const wanted = once(() => compactJsonLength(full()));
  const shortest = compactJsonLength(beginning(0));
  return {
    least: text.length < shortest ? Math.min(shortest, wanted()) : shortest,
    full,
    wanted,
    fit(length) {
      if (wanted() <= length) return full();
      const most = Math.min(text.length, length);
      const middleLeftOut = length < MIN_CUT_LENGTH ? undefined : largestForm(most, length, cut);
      return middleLeftOut ?? largestForm(most, length, beginning) ?? beginning(0);
    },
  };
}
