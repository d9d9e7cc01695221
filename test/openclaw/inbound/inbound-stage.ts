import { afterAll, beforeAll } from 'vitest';
import { Gates } from '../../support/gates.ts';
import type { Driver, Version } from '../../support/drivers/driver.ts';
import type { ScriptedModel } from '../harness/scripted-model.ts';
import { ADA } from './peers.ts';
import {
  startInbound,
  type InboundChoice,
  type InboundGateway,
  type InboundOptions,
} from './start-inbound.ts';

/** One gateway for all tests of a file, because starting it takes longer than most of them. */
export interface InboundStage {
  readonly gates: Gates;
  readonly gateway: InboundGateway;
  readonly model: ScriptedModel;
  /** The official client of an anonymous caller. */
  anonymous(version: Version): Promise<Driver>;
  /** The official client of a peer with all tools. */
  ada(version: Version): Promise<Driver>;
  /** Of the account with peers, unless another one is chosen. */
  driver(choice: InboundChoice): Promise<Driver>;
}

export function inboundStage(options: InboundOptions): InboundStage {
  let running: InboundGateway | undefined;
  const gateway = (): InboundGateway => {
    if (running === undefined) throw new Error('The gateway has not been started.');
    return running;
  };
  beforeAll(async () => {
    running = await startInbound(options);
  });
  afterAll(() => running?.close());
  const driver = (choice: InboundChoice): Promise<Driver> =>
    gateway().driver({ account: 'peers', ...choice });
  return {
    gates: new Gates(),
    get gateway() {
      return gateway();
    },
    get model() {
      return gateway().model;
    },
    anonymous: (version) => driver({ version }),
    ada: (version) => driver({ key: ADA, version }),
    driver,
  };
}
