import { z } from 'zod';

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'expected an http:// or https:// URL',
});

/** A URL that paths are appended to. */
export const baseAddress = webAddress.refine((address) => !/[?#]/.test(address), {
  error: 'expected a URL without query and fragment',
});
