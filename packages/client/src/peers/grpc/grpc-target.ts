import { isIP } from 'node:net';

export interface GrpcTarget {
  host: string;
  port: number;
  secure: boolean;
  /** The same address as a URL, for the guarded client and for comparing origins. */
  url: string;
}

const LOCAL_HOST = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/;

/**
 * Parses the address of a gRPC interface: `host:port` as in the specification, or a URL. Without a scheme TLS is used,
 * except for loopback and private addresses, which rarely have certificates. Returns undefined for anything else.
 */
export function parseGrpcTarget(address: string): GrpcTarget | undefined {
  const [, scheme, rest] = /^(?:(https?|grpcs?):\/\/)?([^/]+)\/?$/i.exec(address) ?? [];
  if (rest === undefined || !URL.canParse(`http://${rest}`)) return undefined;
  const { hostname } = new URL(`http://${rest}`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = scheme === undefined ? !LOCAL_HOST.test(host) : scheme.toLowerCase().endsWith('s');
  // Read from the text, because URL drops the default port of its scheme.
  const port = Number(/:(\d+)$/.exec(rest)?.[1] ?? (secure ? 443 : 80));
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return { host, port, secure, url: `${secure ? 'https' : 'http'}://${shown}:${port}` };
}
