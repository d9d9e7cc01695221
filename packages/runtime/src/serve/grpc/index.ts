export { startGrpcServer, type GrpcServer, type GrpcServerOptions } from './start-grpc-server.ts';
