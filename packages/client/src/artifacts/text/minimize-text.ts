import { checkLimit, DEFAULT_CHARACTER_LIMIT } from '../artifact-settings.ts';
import { cutText, type CutText } from './cut-text.ts';
import { countLineBreaks } from './lines.ts';

export interface MinimizeTextOptions {
  characterLimit?: number | undefined;
  /** Added as `_tip` when something was left out. */
  tip?: string | null | undefined;
}

/** The text as it is, or its beginning and its end. */
export type MinimizedText = { readonly text: string } | (CutText & { readonly _tip?: string });

/** A text within the limit is given as it is; of a longer one the first and the last half of the limit. */
export function minimizeText(text: string, options: MinimizeTextOptions = {}): MinimizedText {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  if (text.length <= limit) return { text };
  return withTip(cutText(text, countLineBreaks(text) + 1, limit), options.tip);
}

export function withTip<Value extends object>(
  value: Value,
  tip: string | null | undefined,
): Value & { _tip?: string } {
  return tip === null || tip === undefined || tip === '' ? value : { ...value, _tip: tip };
}
