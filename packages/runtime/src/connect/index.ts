/** Agents without an address: connect them to a host, which serves them to callers. */
import '@holdword/net/internal/require-supported-node';
export {
  addConnectedAgent,
  listConnectedAgents,
  removeConnectedAgent,
  rotateConnectedAgent,
  type AgentRecords,
  type ConnectedAgent,
  type IssuedAgent,
} from './connected-agents.ts';
export { connectWorker } from './connect-worker.ts';
export {
  hostAgents,
  type HostAgentsOptions,
  type HostedAgents,
  type HostedAgentsServer,
} from './hosted-agents.ts';
export type { GrpcRoute } from '../serve/grpc-server.ts';
export type { ConnectedWorker, ConnectWorkerOptions } from './worker.ts';
export type { WorkerSigningKey } from './event-signer.ts';
