import { z } from 'zod';

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'expected a URL that begins with http:// or https://',
});
