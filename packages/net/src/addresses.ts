import { isIPv6 } from 'node:net';
import { trimEndOf } from '@holdword/protocol/internal';

/** A host in the form used for comparisons: lower case, without brackets and trailing dots. */
export function bareHost(host: string): string {
  return trimEndOf(host.toLowerCase().replace(/^\[(.*)\]$/, '$1'), '.');
}

/** Whether a host name or address is a loopback one. IPv6 addresses may have brackets. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** The family of an IP address, as `node:net` names it. */
export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
