export { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
export { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
