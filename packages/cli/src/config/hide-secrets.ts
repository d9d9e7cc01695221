/** Masks the user and password of URLs in a text. */
export function hideSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://***@').replaceAll(/([?&]password=)[^&\s"]*/gi, '$1***');
}

/** Whether a URL contains a password. */
export function hasPassword(url: string): boolean {
  return /:\/\/[^/@]*:\S*@|[?&]password=/i.test(url);
}
