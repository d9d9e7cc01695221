/** A host in the form used for comparisons: lower case, without brackets and trailing dots. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
}
