import { hostname } from 'node:os';

/** A host and port as written in a URL: IPv6 addresses get brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The name by which others reach a server that listens on `host`. For all addresses, that is the machine's name. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? hostname() : host;
}
