export const DEFAULT_CHARACTER_LIMIT = 50_000;
export const DEFAULT_OBJECT_STRING_LENGTH = 5_000;

export interface ArtifactSettingsOptions {
  sendMessageCharacterLimit?: number | undefined;
  minimizedObjectStringLength?: number | undefined;
  viewArtifactCharacterLimit?: number | undefined;
}

/** How much of artifacts a model gets to see. */
export class ArtifactSettings {
  /** Above this many characters artifacts are minimized in what `sendMessage` gives. */
  readonly sendMessageCharacterLimit: number;
  /** The longest string value within minimized objects. */
  readonly minimizedObjectStringLength: number;
  /** The most characters that viewing one artifact gives. */
  readonly viewArtifactCharacterLimit: number;

  constructor(options: ArtifactSettingsOptions = {}) {
    this.sendMessageCharacterLimit = checkLimit(
      'sendMessageCharacterLimit',
      options.sendMessageCharacterLimit ?? DEFAULT_CHARACTER_LIMIT,
    );
    this.minimizedObjectStringLength = checkLimit(
      'minimizedObjectStringLength',
      options.minimizedObjectStringLength ?? DEFAULT_OBJECT_STRING_LENGTH,
    );
    this.viewArtifactCharacterLimit = checkLimit(
      'viewArtifactCharacterLimit',
      options.viewArtifactCharacterLimit ?? DEFAULT_CHARACTER_LIMIT,
    );
  }
}

/** Gives the limit back; throws when it is none. */
export function checkLimit(name: string, limit: number): number {
  if (Number.isInteger(limit) && limit >= 0) return limit;
  throw new Error(`Expected ${name} to be a whole number of 0 or more, found ${limit}.`);
}
