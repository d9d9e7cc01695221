import type { Binding, ClientKind, Driver, DriverTarget, Version } from './driver.ts';
import { openRawGrpcV03 } from './raw-grpc-v03.ts';
import { openRawGrpc } from './raw-grpc.ts';
import { openRawJsonRpcV03 } from './raw-json-rpc-v03.ts';
import { openRawJsonRpc } from './raw-json-rpc.ts';
import { openRawRestV03 } from './raw-rest-v03.ts';
import { openRawRest } from './raw-rest.ts';
import { openSdk } from './sdk-driver.ts';

const RAW: Readonly<Record<Version, Record<Binding, (target: DriverTarget) => Driver>>> = {
  '1.0': { JSONRPC: openRawJsonRpc, 'HTTP+JSON': openRawRest, GRPC: openRawGrpc },
  '0.3': { JSONRPC: openRawJsonRpcV03, 'HTTP+JSON': openRawRestV03, GRPC: openRawGrpcV03 },
};

export interface DriverChoice {
  binding: Binding;
  version: Version;
  client: ClientKind;
}

export async function openDriver(target: DriverTarget, choice: DriverChoice): Promise<Driver> {
  return choice.client === 'raw'
    ? RAW[choice.version][choice.binding](target)
    : openSdk(target, choice.binding, choice.version);
}
