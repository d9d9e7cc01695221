import { minimizeText, type MinimizeTextOptions } from './text/minimize-text.ts';
import { viewText, type ViewTextOptions } from './text/view-text.ts';

/** Shows long texts to models. */
export const TextArtifacts = {
  /** A range of lines (from 1, both ends included) or of characters (as in `slice`). Throws over the limit. */
  view(text: string, options?: ViewTextOptions): string {
    return viewText(text, options);
  },

  /** The text as `{text}`, or its first and last part with where they lie in it. */
  minimize(text: string, options?: MinimizeTextOptions): Record<string, unknown> {
    return { ...minimizeText(text, options) };
  },
} as const;
