/** Replay by cursor: events carry their sequence number, a reader comes back with the last one it saw. */
export const RESUME_EXTENSION = 'urn:parley:a2a:resume:v1';

/** One intent, one task: a client that declares it has its sends de-duplicated by message id. */
export const IDEMPOTENCY_EXTENSION = 'urn:parley:a2a:idempotency:v1';

export const OWN_EXTENSIONS = [RESUME_EXTENSION, IDEMPOTENCY_EXTENSION] as const;
