const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Whether a text is Base64, also of the kind for URLs, with or without padding and line breaks. */
export function isBase64(text: string): boolean {
  const joined = /\s/.test(text) ? text.replaceAll(/\s+/g, '') : text;
  return BASE64.test(joined) && joined.replace(/=+$/, '').length % 4 !== 1;
}
