export { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
export { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
export { errorDetailsOfTrailer } from './error-details-of-trailer.ts';
export { LEGACY_PROCEDURES } from './legacy-procedures.ts';
export type { GrpcProcedure } from './grpc-procedure.ts';
export { PROCEDURES } from './procedures.ts';
