/** A host as names are compared and addresses recognised: lower case, no brackets, no dots at the end. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
}
