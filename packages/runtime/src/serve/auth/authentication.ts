import { A2AError, type SecurityScheme } from '@holdword/protocol';

/** Header fields of HTTP or metadata of gRPC, by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Who a credential stands for. */
export interface Caller {
  /** Unique over all ways to authenticate: `key:NAME`, `jwt:SUBJECT` or `anonymous`. */
  readonly id: string;
  readonly authenticated: boolean;
  /** The only tenant this caller may name; any tenant when absent. */
  readonly tenant?: string;
  /** Calls a minute of this caller, instead of what the server gives to each that is authenticated. */
  readonly requestsPerMinute?: number;
  /**
   * Whether the credential is as good as when it was checked; for calls that last. Rejects when that cannot be said now.
   * Absent where a credential does not lapse while the server runs.
   */
  readonly isStillGood?: () => Promise<boolean>;
}

/** One way to tell who calls. */
export interface Authentication {
  /**
   * The caller of a valid credential, or undefined when there is no credential of this kind. A credential that is there
   * and wrong rejects with UNAUTHENTICATED.
   */
  authenticate(headers: RequestHeaders): Promise<Caller | undefined>;
  /** What to put on the card, by scheme name; each scheme alone is enough. Empty when no credential is needed. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** Callers without a credential are let in, too: the card then describes the schemes and demands none. */
  readonly isOptional?: boolean;
  /** The value of `WWW-Authenticate` for a caller without a valid credential. */
  readonly challenge: string;
}

/** One value of a header; several are joined as HTTP does. */
export function headerValue(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerToken(headers: RequestHeaders): string | undefined {
  const value = headerValue(headers, 'authorization');
  return value === undefined ? undefined : /^bearer +(\S+) *$/i.exec(value)?.[1];
}

export function unauthenticated(message: string, cause?: unknown): A2AError {
  return new A2AError('UNAUTHENTICATED', message, cause === undefined ? {} : { cause });
}
