export { GatewayConnection, type GatewayEvent } from '../gateway/gateway-connection.ts';
