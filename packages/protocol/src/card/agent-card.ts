import { z } from 'zod';
import { jsonObjectSchema } from '../basics/json.ts';

const description = z.string().optional();
const refreshUrl = z.string().optional();
const scopes = z.record(z.string(), z.string());

export const agentInterfaceSchema = z.object({
  url: z.string().min(1),
  /** JSONRPC, GRPC, HTTP+JSON or a custom URI. */
  protocolBinding: z.string().min(1),
  tenant: z.string().optional(),
  protocolVersion: z.string().min(1),
});
/** A URL of an agent with its binding and version. */
export type AgentInterface = z.infer<typeof agentInterfaceSchema>;

export const agentExtensionSchema = z.object({
  uri: z.string().optional(),
  description,
  required: z.boolean().optional(),
  params: jsonObjectSchema.optional(),
});
/** A protocol extension that an agent supports. */
export type AgentExtension = z.infer<typeof agentExtensionSchema>;

export const agentCapabilitiesSchema = z.object({
  streaming: z.boolean().optional(),
  pushNotifications: z.boolean().optional(),
  extensions: z.array(agentExtensionSchema).optional(),
  extendedAgentCard: z.boolean().optional(),
});
/** The optional features that an agent supports. */
export type AgentCapabilities = z.infer<typeof agentCapabilitiesSchema>;

export const securityRequirementSchema = z.object({
  schemes: z.record(z.string(), z.object({ list: z.array(z.string()).optional() })).optional(),
});
/** Security schemes that must all be satisfied; several requirements are alternatives. */
export type SecurityRequirement = z.infer<typeof securityRequirementSchema>;

const oauthFlowsSchema = z.union([
  z.object({
    authorizationCode: z.object({
      authorizationUrl: z.string(),
      tokenUrl: z.string(),
      refreshUrl,
      scopes,
      pkceRequired: z.boolean().optional(),
    }),
  }),
  z.object({ clientCredentials: z.object({ tokenUrl: z.string(), refreshUrl, scopes }) }),
  z.object({
    deviceCode: z.object({ deviceAuthorizationUrl: z.string(), tokenUrl: z.string(), refreshUrl, scopes }),
  }),
  z.object({
    implicit: z.object({ authorizationUrl: z.string().optional(), refreshUrl, scopes: scopes.optional() }),
  }),
  z.object({
    password: z.object({ tokenUrl: z.string().optional(), refreshUrl, scopes: scopes.optional() }),
  }),
]);
/** One OAuth 2.0 flow. */
export type OAuthFlows = z.infer<typeof oauthFlowsSchema>;

export const securitySchemeSchema = z.union([
  z.object({
    apiKeySecurityScheme: z.object({ description, location: z.string(), name: z.string() }),
  }),
  z.object({
    httpAuthSecurityScheme: z.object({
      description,
      scheme: z.string(),
      bearerFormat: z.string().optional(),
    }),
  }),
  z.object({
    oauth2SecurityScheme: z.object({
      description,
      flows: oauthFlowsSchema,
      oauth2MetadataUrl: z.string().optional(),
    }),
  }),
  z.object({ openIdConnectSecurityScheme: z.object({ description, openIdConnectUrl: z.string() }) }),
  z.object({ mtlsSecurityScheme: z.object({ description }) }),
]);
/** A way to authenticate with an agent. */
export type SecurityScheme = z.infer<typeof securitySchemeSchema>;

export const agentSkillSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  examples: z.array(z.string()).optional(),
  inputModes: z.array(z.string()).optional(),
  outputModes: z.array(z.string()).optional(),
  securityRequirements: z.array(securityRequirementSchema).optional(),
});
/** Something an agent can do. */
export type AgentSkill = z.infer<typeof agentSkillSchema>;

export const agentProviderSchema = z.object({ url: z.string(), organization: z.string() });
/** The organization that provides an agent. */
export type AgentProvider = z.infer<typeof agentProviderSchema>;

export const agentCardSignatureSchema = z.object({
  protected: z.string().min(1),
  signature: z.string().min(1),
  header: jsonObjectSchema.optional(),
});
/** A signature of a card (JWS with detached payload). */
export type AgentCardSignature = z.infer<typeof agentCardSignatureSchema>;

export const agentCardSchema = z.object({
  name: z.string(),
  description: z.string(),
  /** Preferred first. */
  supportedInterfaces: z.array(agentInterfaceSchema),
  provider: agentProviderSchema.optional(),
  version: z.string(),
  documentationUrl: z.string().optional(),
  capabilities: agentCapabilitiesSchema,
  securitySchemes: z.record(z.string(), securitySchemeSchema).optional(),
  securityRequirements: z.array(securityRequirementSchema).optional(),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(agentSkillSchema),
  signatures: z.array(agentCardSignatureSchema).optional(),
  iconUrl: z.string().optional(),
});
/** The description that an agent publishes, as A2A 1.0 JSON. */
export type AgentCard = z.infer<typeof agentCardSchema>;
