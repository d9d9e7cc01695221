import { minimizeText, type MinimizeTextOptions } from './text/minimize-text.ts';
import { viewText, type ViewTextOptions } from './text/view-text.ts';

/**
 * Views and minimizes text for a model.
 *
 * @example
 * ```ts
 * import { TextArtifacts } from '@holdword/client';
 *
 * const log = '[INFO] Server started\n[INFO] Connected to DB\n[WARN] Cache miss';
 * TextArtifacts.view(log, { lineStart: 1, lineEnd: 2 }); // the first two lines
 * TextArtifacts.minimize('x'.repeat(60_000)); // the first and last 25,000 characters
 * ```
 */
export const TextArtifacts = {
  /**
   * Returns a range of lines (1-based, inclusive) or of characters (0-based, like `slice`).
   *
   * @throws Error if both kinds of range are given, a line does not exist, or the selection exceeds the character limit.
   */
  view(text: string, options?: ViewTextOptions): string {
    return viewText(text, options);
  },

  /** Returns text within the limit as `{text}`; otherwise its beginning and end with their ranges. */
  minimize(text: string, options?: MinimizeTextOptions): Record<string, unknown> {
    return { ...minimizeText(text, options) };
  },
} as const;
