/** A text that quotes what somebody wrote, without the user and the password of a URL in it. */
export function hideSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://***@').replaceAll(/([?&]password=)[^&\s"]*/gi, '$1***');
}

/** Whether a URL brings a password along. */
export function hasPassword(url: string): boolean {
  return /:\/\/[^/@]*:\S*@|[?&]password=/i.test(url);
}
