import type { JsonObject } from '@holdword/protocol';

/** Average length of a token in characters. */
const CHARACTERS_PER_TOKEN = 4;

/** The size of input and output in characters, with a rough estimate of tokens. */
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
