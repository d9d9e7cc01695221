/** The gateway rejected a request. */
export class GatewayRejection extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** There is no connection to the gateway, or it was lost. A pending request may have been carried out. */
export class GatewayUnreachable extends Error {}
