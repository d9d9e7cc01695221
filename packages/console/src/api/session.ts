import { z } from 'zod';

/** Who is signed in, and what this server offers. */
export const sessionSchema = z.strictObject({
  signedIn: z.boolean(),
  signInWith: z
    .array(z.enum(['link', 'credential']))
    .describe('link: the one-time link that the server printed; credential: an API key or a bearer token.'),
  user: z
    .strictObject({
      role: z.enum(['operator', 'caller']),
      name: z.string().describe('The caller, such as key:laptop; anonymous for a link.'),
      tenant: z.string().nullable(),
      expiresAt: z.iso.datetime(),
    })
    .nullable(),
  server: z
    .strictObject({
      version: z.string(),
      startedAt: z.iso.datetime(),
      process: z.string().describe('The name of the process that answers.'),
      store: z.enum(['memory', 'json-file', 'sqlite', 'postgres']),
      agent: z.string().describe('The name of the agent that is served.'),
      url: z.string(),
    })
    .nullable()
    .describe('Null without a session.'),
  features: z
    .strictObject({
      hub: z.boolean(),
      push: z.boolean(),
      fork: z.boolean(),
      export: z.boolean(),
      keys: z.boolean().describe('Whether API keys are in use here.'),
      audit: z.boolean(),
      remoteAgents: z.boolean(),
    })
    .nullable()
    .describe('What this server offers; null without a session.'),
});
export type Session = z.infer<typeof sessionSchema>;

/** The token of the one-time link, from the fragment of its URL, or a credential as other clients send it. */
export const signInSchema = z.union([
  z.strictObject({ link: z.string().min(1).max(200) }),
  z.strictObject({
    credential: z.string().min(1).max(16_384).describe('An API key or a bearer token.'),
  }),
]);
export type SignIn = z.infer<typeof signInSchema>;

/** What every failed request answers. */
export const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string().describe('For programs, such as NOT_FOUND.'),
    message: z.string().describe('What is wrong and what to do next.'),
  }),
});
export type ApiError = z.infer<typeof errorSchema>;

/** The answer to a request that has nothing to tell. */
export const doneSchema = z.strictObject({ done: z.literal(true) });
