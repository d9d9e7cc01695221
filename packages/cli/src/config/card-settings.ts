import { listOf, path, settings, text } from '@holdword/runtime/internal/settings';
import { commandLine, object } from './setting-parts.ts';

const skill = object(
  {
    id: text.describe('Id of the skill.'),
    name: text.describe('Name of the skill.'),
    description: text.describe('What the skill does.'),
    tags: listOf(text).prefault([]).describe('Keywords.'),
    examples: listOf(text).prefault([]).describe('Messages that use the skill.'),
  },
  'expected an object with id, name and description',
);

/** What the card says, if it is not what the agent says itself. */
export const cardSettings = object({
  name: text
    .optional()
    .describe('Name of the agent on its card.')
    .register(settings, { defaultText: 'the name that the agent defines' })
    .register(commandLine, { option: 'card-name', value: 'NAME', environment: 'HOLDWORD_CARD_NAME' }),
  description: text
    .optional()
    .describe('Description of the agent.')
    .register(settings, { defaultText: 'the one that the agent defines' }),
  extended: object({
    description: text
      .optional()
      .describe('Description of the agent for callers who have authenticated.')
      .register(settings, { defaultText: 'the public one' }),
    skills: listOf(skill)
      .prefault([])
      .describe('Skills that only callers who have authenticated see, in addition to the public ones.'),
  })
    .optional()
    .describe('The extended card, for callers who have authenticated.')
    .register(settings, { defaultText: 'there is none' }),
  signingKeyFile: path
    .optional()
    .describe('File with the private key that signs the card, as a JSON Web Key.')
    .register(settings, { defaultText: 'the card is not signed' }),
})
  .prefault({})
  .describe('Contents of the agent card.');
