/** Resume a stream: events have a sequence number, and a client reconnects with the last one it received. */
export const RESUME_EXTENSION = 'urn:holdword:a2a:resume:v1';

/** Idempotent sends: messages of a client that declares it are deduplicated by message ID. */
export const IDEMPOTENCY_EXTENSION = 'urn:holdword:a2a:idempotency:v1';

/** Fork a task: a message whose request names a task and an event of it starts a new task with what the old one had by then. */
export const FORK_EXTENSION = 'urn:holdword:a2a:fork:v1';

export const OWN_EXTENSIONS = [RESUME_EXTENSION, IDEMPOTENCY_EXTENSION, FORK_EXTENSION] as const;

/** The HTTP header or gRPC metadata key in which a client declares extensions. */
export const EXTENSIONS_PARAMETER = 'A2A-Extensions';

/** The same in 0.3. */
export const LEGACY_EXTENSIONS_PARAMETER = 'X-A2A-Extensions';

/** Parses the URIs of a comma-separated list, or of several lists if a header was sent more than once. */
export function parseExtensions(...values: (string | readonly string[] | null | undefined)[]): Set<string> {
  const uris = values
    .flat()
    .flatMap((value) => value?.split(',') ?? [])
    .map((uri) => uri.trim());
  return new Set(uris.filter((uri) => uri !== ''));
}

/** In the metadata of a message or of a request: the id of the skill that the client asks for. */
export const SKILL_METADATA = 'urn:holdword:a2a:skill:v1';
