import type { Log } from '../../../log.ts';
import type { GatewayAddress } from './find-gateway.ts';
import { GatewayConnection } from './gateway-connection.ts';

/**
 * The connection to a gateway that all turns share. It is opened on first use, and reopened after it was lost. The address is
 * looked up each time: a gateway may come back with another configuration.
 */
export class GatewayLink {
  readonly #find: () => Promise<GatewayAddress>;
  readonly #log: Log;
  #opening: Promise<OpenGateway> | undefined;

  constructor(find: () => Promise<GatewayAddress>, log: Log) {
    this.#find = find;
    this.#log = log;
  }

  async open(): Promise<OpenGateway> {
    const known = this.#opening;
    const current = await known?.catch(() => undefined);
    if (current?.connection.isOpen) return current;
    // Unless another caller has started to connect in the meantime.
    if (this.#opening === known) this.#opening = this.#connect();
    return this.#opening as Promise<OpenGateway>;
  }

  async close(): Promise<void> {
    const current = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    current?.connection.close();
  }

  async #connect(): Promise<OpenGateway> {
    const address = await this.#find();
    const connection = await GatewayConnection.open(address);
    this.#log.info('Connected to the OpenClaw gateway.', {
      url: address.url,
      version: connection.hello.version,
    });
    return { connection, isLocal: address.isLocal };
  }
}

export interface OpenGateway {
  readonly connection: GatewayConnection;
  readonly isLocal: boolean;
}
