import { flag, integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';

const digest = z
  .string()
  .regex(/^(sha256:)?[0-9a-fA-F]{64}$/, 'expected the SHA-256 digest of a key as 64 hex digits');

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected a URL that begins with http:// or https://' });

const limits = {
  requestsPerMinute: integer('a number of calls', 1, 1_000_000).optional().describe('Calls a minute.'),
  concurrentTurns: integer('a number of turns', 1, 10_000)
    .optional()
    .describe('Turns that run at once; more wait.'),
};

/** Lower case alone: the name is part of session keys, which the host lowercases. */
export const peerName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'expected a name of 1 to 64 lower-case letters, digits, ".", "_" or "-"',
  );

const peerSchema = z
  .strictObject(
    {
      keySha256: z
        .union([digest, z.array(digest).min(1, 'expected at least one digest')], {
          error: 'expected the SHA-256 digest of a key as 64 hex digits, or a list of them',
        })
        .optional()
        .describe(
          'The SHA-256 digest of the key that the peer sends as a bearer token; several while it changes.',
        ),
      subject: text.optional().describe('The `sub` of the tokens that the peer sends.'),
      agentId: text.optional().describe('The agent that answers this peer. Default: defaultAgentId.'),
      tools: z
        .union([z.literal('all'), listOf(text)], { error: 'expected "all" or a list of names of tools' })
        .optional()
        .describe('The tools that the turns of this peer may use. Default: none.'),
      mayApprove: flag
        .optional()
        .describe('Whether this peer may itself allow what a tool asks permission for. Default: false.'),
      ...limits,
    },
    { error: 'expected an object with keySha256 or subject' },
  )
  .refine((peer) => peer.keySha256 !== undefined || peer.subject !== undefined, {
    error: 'expected keySha256 or subject, so that the peer can be recognised',
  });

const jwtSchema = z
  .strictObject(
    {
      issuer: text.describe('The `iss` that tokens must have.'),
      audience: text.describe('The `aud` that tokens must have.'),
      jwksUrl: httpUrl.optional().describe('Where the issuer publishes its public keys.'),
      jwksFile: text.optional().describe('A file with the public keys as a JSON Web Key Set.'),
    },
    { error: 'expected an object with issuer, audience and jwksUrl or jwksFile' },
  )
  .refine((jwt) => (jwt.jwksUrl === undefined) !== (jwt.jwksFile === undefined), {
    error: 'expected one of jwksUrl and jwksFile',
  });

/** Who may call an account, and what they get. */
export const authSchema = z.strictObject(
  {
    required: flag
      .optional()
      .describe('Whether callers without a credential are refused. Default: false; they get no tools.'),
    peers: z
      .record(peerName, peerSchema, { error: 'expected an object with the peers by name' })
      .optional()
      .describe('The callers that are known, by name.'),
    jwt: jwtSchema.optional().describe('Accept tokens of this issuer from peers with a subject.'),
    anonymous: z
      .strictObject(limits, { error: 'expected an object' })
      .optional()
      .describe('What all callers without a credential may ask for together.'),
  },
  { error: 'expected an object' },
);

export type AuthInput = z.infer<typeof authSchema>;
export type PeerInput = z.infer<typeof peerSchema>;
