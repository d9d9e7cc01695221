/** Begins the names that the client itself writes to metadata. Agents write metadata as well, and must not speak for the client. */
const CLIENT_NAMES = 'urn:holdword:client:';

/** Metadata key of a returned task about which the session has something to say. */
export const NOTICE = `${CLIENT_NAMES}notice:v1`;

/** Metadata key of a part whose content is in a file. Its value says what the content was, and its size. */
export const LARGE_PART = `${CLIENT_NAMES}large-part:v1`;

/** An agent's metadata without the names of the client. */
export function withoutClientNames(metadata: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(metadata);
  if (!names.some(isClientName)) return metadata;
  return Object.fromEntries(
    names.filter((name) => !isClientName(name)).map((name) => [name, metadata[name]]),
  );
}

function isClientName(name: string): boolean {
  return name.toLowerCase().startsWith(CLIENT_NAMES);
}

/** A scheme that nothing opens. */
const UNAVAILABLE = 'unavailable:';

/** Why a file cannot be read that an agent named by a `file:` URL; continues "because". */
export const ON_AGENTS_MACHINE = "its file: URL names a file on the agent's own machine, not on this one";

/**
 * The URL of an agent's file such that nobody takes it for a file of this machine. Only the client itself hands out `file:` URLs:
 * those of contents that it wrote to its own folder.
 */
export function foreignUrl(url: string): string {
  return isFileUrl(url) ? `${UNAVAILABLE}${url.trim()}` : url;
}

/** Whether an agent named the file by a `file:` URL. */
export function isOnAgentsMachine(url: string | undefined): boolean {
  return url?.startsWith(UNAVAILABLE) === true;
}

/** Parsed as well, because parsers ignore line breaks and control characters. */
function isFileUrl(url: string): boolean {
  return /^\s*file:/i.test(url) || URL.parse(url)?.protocol === 'file:';
}
