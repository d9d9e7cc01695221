import { hostname } from 'node:os';

/** A host and port as they stand in a URL; IPv6 addresses get their brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The name by which others reach a server that listens on `host`: every address is reached by the machine's name. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? hostname() : host;
}
