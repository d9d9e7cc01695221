import { z } from 'zod';

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'expected a URL that begins with http:// or https://',
});

/** An address that paths are added to. */
export const baseAddress = webAddress.refine((address) => !/[?#]/.test(address), {
  error: 'expected a URL without a query and a fragment',
});
