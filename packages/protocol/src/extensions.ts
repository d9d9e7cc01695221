/** Replay by cursor: events carry their sequence number, a reader comes back with the last one it saw. */
export const RESUME_EXTENSION = 'urn:holdword:a2a:resume:v1';

/** One intent, one task: a client that declares it has its sends de-duplicated by message id. */
export const IDEMPOTENCY_EXTENSION = 'urn:holdword:a2a:idempotency:v1';

export const OWN_EXTENSIONS = [RESUME_EXTENSION, IDEMPOTENCY_EXTENSION] as const;

/** The HTTP header or gRPC metadata key by which a client declares extensions. */
export const EXTENSIONS_PARAMETER = 'A2A-Extensions';

/** The same in 0.3. */
export const LEGACY_EXTENSIONS_PARAMETER = 'X-A2A-Extensions';

/** Reads the URIs of a comma-separated list, or of several ones when a header came more than once. */
export function parseExtensions(...values: (string | readonly string[] | null | undefined)[]): Set<string> {
  const uris = values
    .flat()
    .flatMap((value) => value?.split(',') ?? [])
    .map((uri) => uri.trim());
  return new Set(uris.filter((uri) => uri !== ''));
}
