import { checkLimit, DEFAULT_CHARACTER_LIMIT } from '../artifact-settings.ts';
import { cutText, type CutText } from './cut-text.ts';
import { countLineBreaks } from './lines.ts';

/** Options of `TextArtifacts.minimize`. */
export interface MinimizeTextOptions {
  /**
   * Longer text is minimized to this many characters.
   * @default 50000
   */
  characterLimit?: number | undefined;
  /** Added as `_tip` if the text was minimized. */
  tip?: string | null | undefined;
}

/** The whole text, or its beginning and end. */
export type MinimizedText = { readonly text: string } | (CutText & { readonly _tip?: string });

/** Returns text within the limit unchanged, and the beginning and end of longer text. */
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
