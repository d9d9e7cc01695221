import type { DriverTarget } from '../../test/support/drivers/driver.ts';

/** The addresses of a server. Its gRPC port is only on the card. */
export async function targetOf(jsonRpcUrl: URL): Promise<DriverTarget> {
  const response = await fetch(new URL('/.well-known/agent-card.json', jsonRpcUrl));
  const card = (await response.json()) as {
    supportedInterfaces: { url: string; protocolBinding: string }[];
  };
  const urlOf = (binding: string): string =>
    card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === binding)?.url ?? '';
  return {
    baseUrl: jsonRpcUrl.origin,
    jsonRpcUrl: jsonRpcUrl.href,
    restUrl: urlOf('HTTP+JSON'),
    grpcAddress: urlOf('GRPC').replace(/^\w+:\/\//, ''),
  };
}
