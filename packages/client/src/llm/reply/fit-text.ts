import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { cutText } from '../../artifacts/text/cut-text.ts';
import { countLineBreaks } from '../../artifacts/text/lines.ts';
import { withTip } from '../../artifacts/text/minimize-text.ts';
import type { TextPartForLLM } from '../for-llm.ts';
import { largestForm, lazy, type Fittable } from './fittable.ts';

/** With less room than this, the range fields take more space than the text. */
const MIN_CUT_LENGTH = 800;

/** Fits a text: whole, its beginning and end, or only its beginning. */
export function fittableText(
  text: string,
  options: { characterLimit: number; tip: string | null | undefined },
): Fittable<TextPartForLLM> {
  const lines = lazy(() => countLineBreaks(text) + 1);
  const cut = (limit: number): TextPartForLLM => ({
    kind: 'text',
    ...withTip(cutText(text, lines(), limit), options.tip),
  });
  const beginning = (amount: number): TextPartForLLM => ({ kind: 'text', text: shortenText(text, amount) });
  const full = lazy((): TextPartForLLM =>
    text.length <= options.characterLimit ? { kind: 'text', text } : cut(options.characterLimit),
  );
  const fullLength = lazy(() => compactJsonLength(full()));
  const shortest = compactJsonLength(beginning(0));
  return {
    minLength: text.length < shortest ? Math.min(shortest, fullLength()) : shortest,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const most = Math.min(text.length, length);
      const middleLeftOut = length < MIN_CUT_LENGTH ? undefined : largestForm(most, length, cut);
      return middleLeftOut ?? largestForm(most, length, beginning) ?? beginning(0);
    },
  };
}
