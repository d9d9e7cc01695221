import type { AgentExtension, AgentSkill } from '@holdword/protocol';
import { agentExtensionSchema, agentSkillSchema, nearestName } from '@holdword/protocol/internal';
import { z } from 'zod';

/** What an agent says about itself. The server adds where it is reached and how callers authenticate. */
export interface AgentDescription {
  name: string;
  description: string;
  version?: string;
  documentationUrl?: string;
  iconUrl?: string;
  provider?: { organization: string; url: string };
  /**
   * The media types that the agent accepts and produces.
   * @default ['text/plain']
   */
  defaultInputModes?: string[];
  defaultOutputModes?: string[];
  skills?: AgentSkill[];
  /**
   * Protocol extensions that the agent supports. A request that does not declare one that is `required` is refused. Executors find
   * what a message declares in `turn.message.extensions`.
   */
  extensions?: AgentExtension[];
}

const mediaTypes = z.array(z.string().min(1)).optional();

const required = { name: z.string().min(1), description: z.string() };
const optional = {
  version: z.string().optional(),
  documentationUrl: z.string().optional(),
  iconUrl: z.string().optional(),
  provider: z.object({ organization: z.string(), url: z.string() }).optional(),
  defaultInputModes: mediaTypes,
  defaultOutputModes: mediaTypes,
  skills: z.array(agentSkillSchema).optional(),
  extensions: z.array(agentExtensionSchema.extend({ uri: z.string().min(1) })).optional(),
};

/** Checks a description that a program has written. */
export const agentDescriptionSchema = withoutOthers({ ...required, ...optional });

/** Checks what a program overrides of a description. `url` is where the agent is served. */
export const descriptionOverridesSchema = withoutOthers({
  name: required.name.optional(),
  description: required.description.optional(),
  url: z
    .string()
    .refine((url) => URL.canParse(url), 'expected a URL')
    .optional(),
  ...optional,
});

/** A field that the card does not have would be dropped, and nobody would miss it until a client does. */
function withoutOthers<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.looseObject(shape).check(({ value, issues }) => {
    for (const name of Object.keys(value).filter((each) => !names.includes(each))) {
      const nearest = nearestName(name, names);
      const hint =
        nearest === undefined ? `valid fields are ${names.join(', ')}` : `did you mean "${nearest}"?`;
      issues.push({ code: 'custom', path: [name], input: value, message: `unknown field (${hint})` });
    }
  });
}
