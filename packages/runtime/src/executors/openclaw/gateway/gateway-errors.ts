/** The gateway answered a request with a rejection. */
export class GatewayRejection extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** There is no connection to the gateway, or none any more. What had been asked may have been done. */
export class GatewayUnreachable extends Error {}
