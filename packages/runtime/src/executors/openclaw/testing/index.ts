export { GatewayConnection, type GatewayEvent } from '../gateway-connection.ts';
