import type { JsonObject } from '@holdword/protocol';

/** Characters of a token, on average. */
const CHARACTERS_PER_TOKEN = 4;

/** How much was said, with tokens as a mere estimate. */
export function usageEstimate(input: string, output: string): JsonObject {
  const tokensIn = Math.ceil(input.length / CHARACTERS_PER_TOKEN);
  const tokensOut = Math.ceil(output.length / CHARACTERS_PER_TOKEN);
  return {
    input_chars: input.length,
    output_chars: output.length,
    token_estimate_in: tokensIn,
    token_estimate_out: tokensOut,
    token_estimate_total: tokensIn + tokensOut,
  };
}
