import { flag, integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';

const digest = z
  .string()
  .regex(/^(sha256:)?[0-9a-fA-F]{64}$/, 'expected the SHA-256 digest of a key as 64 hex digits');

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected a URL starting with http:// or https://' });

const limits = {
  requestsPerMinute: integer('a number of requests', 1, 1_000_000)
    .optional()
    .describe('Requests per minute; more are rejected with 429.'),
  concurrentTurns: integer('a number of turns', 1, 10_000)
    .optional()
    .describe('Turns that run concurrently; further turns are queued.'),
};

/** Lower case only: the name is part of session keys, which the host lowercases. */
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
          'The SHA-256 digest of the key that the peer sends as a bearer token; a list while rotating keys.',
        ),
      subject: text.optional().describe('The `sub` of the tokens that the peer sends.'),
      agentId: text.optional().describe('The agent that answers this peer. Default: defaultAgentId.'),
      tools: z
        .union([z.literal('all'), listOf(text)], { error: 'expected "all" or a list of tool names' })
        .optional()
        .describe('The tools available to this peer: "all" or a list of names. Default: none.'),
      mayApprove: flag
        .optional()
        .describe('Whether this peer decides tool approvals itself. Default: false, the operator decides.'),
      ...limits,
    },
    { error: 'expected an object with keySha256 or subject' },
  )
  .refine((peer) => peer.keySha256 !== undefined || peer.subject !== undefined, {
    error: 'expected keySha256 or subject to identify the peer',
  });

const jwtSchema = z
  .strictObject(
    {
      issuer: text.describe('The required `iss` of tokens.'),
      audience: text.describe('The required `aud` of tokens.'),
      jwksUrl: httpUrl.optional().describe('URL of the JSON Web Key Set of the issuer.'),
      jwksFile: text.optional().describe('File with the JSON Web Key Set of the issuer.'),
    },
    { error: 'expected an object with issuer, audience and jwksUrl or jwksFile' },
  )
  .refine((jwt) => (jwt.jwksUrl === undefined) !== (jwt.jwksFile === undefined), {
    error: 'expected either jwksUrl or jwksFile',
  });

/** Who may call an account, and which agent and tools they get. */
export const authSchema = z.strictObject(
  {
    required: flag
      .optional()
      .describe('Reject callers without credentials. Default: false; such callers get no tools.'),
    peers: z
      .record(peerName, peerSchema, { error: 'expected an object of peers by name' })
      .optional()
      .describe('Known callers, by name.'),
    jwt: jwtSchema.optional().describe('Accept JWTs of this issuer from peers with a subject.'),
    anonymous: z
      .strictObject(limits, { error: 'expected an object' })
      .optional()
      .describe('Limits shared by all callers without credentials.'),
  },
  { error: 'expected an object' },
);

export type AuthInput = z.infer<typeof authSchema>;
export type PeerInput = z.infer<typeof peerSchema>;
