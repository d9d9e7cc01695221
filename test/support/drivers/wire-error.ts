import type { JsonObject } from '@holdword/protocol';

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

export interface WireErrorFacts {
  message: string;
  /** The code of the binding: JSON-RPC code, HTTP status or gRPC status. */
  code: number | undefined;
  /** The HTTP status, in the HTTP bindings. */
  httpStatus?: number;
  /** The name of the status, if the binding has it. */
  status?: string;
  details?: readonly JsonObject[];
  headers?: Record<string, string | undefined>;
}

/** An error response as a client received it. */
export class WireError extends Error {
  readonly code: number | undefined;
  readonly httpStatus: number | undefined;
  readonly status: string | undefined;
  readonly details: readonly JsonObject[];
  readonly headers: Record<string, string | undefined>;

  constructor(facts: WireErrorFacts) {
    super(facts.message);
    this.name = 'WireError';
    this.code = facts.code;
    this.httpStatus = facts.httpStatus;
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.headers = facts.headers ?? {};
  }

  /** `google.rpc.ErrorInfo`, if the response has one. */
  get errorInfo(): JsonObject | undefined {
    return this.details.find((detail) => detail['@type'] === ERROR_INFO);
  }

  get reason(): unknown {
    return this.errorInfo?.['reason'];
  }

  /** The paths of the invalid fields. */
  get fields(): string[] {
    const violations = this.details.find((detail) => detail['@type'] === BAD_REQUEST)?.['fieldViolations'];
    return Array.isArray(violations)
      ? violations.flatMap((violation: JsonObject) =>
          typeof violation['field'] === 'string' ? [violation['field']] : [],
        )
      : [];
  }
}
