const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Accepts what ProtoJSON accepts: the standard or the URL-safe alphabet, padded or not. */
export function isBase64(value: string): boolean {
  if (!BASE64.test(value)) return false;
  return value.endsWith('=') ? value.length % 4 === 0 : value.length % 4 !== 1;
}

/** The form that ProtoJSON writes: the standard alphabet with padding. */
export function toStandardBase64(value: string): string {
  const standard = value.replaceAll('-', '+').replaceAll('_', '/');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}
