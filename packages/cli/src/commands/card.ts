import { readAgentCard } from '@holdword/client/internal';
import { A2AError } from '@holdword/protocol';
import { agentCardSchema, asObject, describeIssues } from '@holdword/protocol/internal';
import { CallError } from '../calling/call-errors.ts';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import { checkSignature } from '../calling/card-signature.ts';
import type { FoundCard } from '../calling/find-card.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import { readTls } from '../calling/tls.ts';
import type { Command } from '../command-line/command.ts';
import { listed } from './command-list.ts';

const cardGet: Command = {
  ...listed('card get'),
  misused: reportMisuse,
  details: 'The card is public: no credentials are sent for it.',
  options: {
    ...CALL_OPTIONS,
    validate: { description: 'Check the card against the specification, and fail if it breaks it' },
    extended: { description: 'Get the extended card, which the agent shows to callers that it knows' },
    'trusted-keys': {
      value: 'FILE',
      description: 'Keys that may sign the card, as a JSON Web Key Set',
      default: 'those that the host of the card publishes',
    },
  },
  examples: [
    { comment: 'See what an agent can do', command: 'holdword card get -a localhost:4310' },
    {
      comment: 'For programs: the card as it was published',
      command: 'holdword card get -a localhost:4310 -o json',
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(input, async (call) => {
      const { found } = await call.find();
      if (input.options['validate'] === 'true') validate(found.published);
      const shown = input.options['extended'] === 'true' ? await extendedCard(call) : found;
      const { workingFolder } = input;
      const signature = await checkSignature(shown, {
        keysFile: input.options['trusted-keys'],
        workingFolder,
        tls: await readTls(call.settings, workingFolder),
        signal: call.signal,
      });
      call.print(shown.published, () => `${cardText(shown)}${field('Signature', signature.status)}`);
      if (call.isJson) call.diagnostics.tell(`Signature: ${signature.status}`);
      if (signature.status === 'unverifiable') {
        call.diagnostics.warn(`The signature of the card was not verified: ${signature.reason}.`);
      }
    }),
};

function validate(published: FoundCard['published']): void {
  if (published['supportedInterfaces'] === undefined) {
    throw new CallError(
      'A2ACLI_ERR_CARD_INVALID',
      'The card is one of A2A 0.3, without supportedInterfaces.',
    );
  }
  const { error } = agentCardSchema.safeParse(published);
  if (error === undefined) return;
  throw new CallError(
    'A2ACLI_ERR_CARD_INVALID',
    `The card breaks the specification: ${describeIssues(error.issues, published)}.`,
    'Report this to the operator of the agent.',
  );
}

/** Only with a credential of a scheme that the public card declares, which is all that is ever sent. */
async function extendedCard(call: Call): Promise<FoundCard> {
  const agent = await call.open();
  if (agent.found.card.capabilities.extendedAgentCard !== true) {
    throw new A2AError('UNSUPPORTED_OPERATION', 'The card says that the agent has no extended card.');
  }
  if (!agent.sentCredentials) {
    throw new CallError(
      'A2ACLI_ERR_CREDENTIALS_MISSING',
      'The extended card is for callers that the agent knows.',
      'Set A2ACLI_BEARER or A2ACLI_API_KEY to a credential of this agent.',
    );
  }
  const published = asObject(await agent.call('getExtendedAgentCard', {}, call.signal));
  return { published, card: readAgentCard(published), url: agent.found.url };
}

function cardText({ card, published }: FoundCard): string {
  const { capabilities } = card;
  const can = [
    ...(capabilities.streaming === true ? ['streaming'] : []),
    ...(capabilities.pushNotifications === true ? ['push notifications'] : []),
    ...(capabilities.extendedAgentCard === true ? ['extended card'] : []),
  ];
  return [
    field('Name', card.name),
    field('Description', card.description),
    field('Version', card.version),
    ...card.supportedInterfaces.map(({ url, protocolBinding, protocolVersion }) =>
      field('Interface', `${protocolBinding} ${protocolVersion} ${url}`),
    ),
    ...can.map((each) => field('Capability', each)),
    ...(capabilities.extensions ?? []).map(({ uri = '', required }) =>
      field('Extension', required === true ? `${uri} (required)` : uri),
    ),
    ...Object.keys(asObject(published['securitySchemes'])).map((name) => field('Security', name)),
    ...card.skills.map(({ id, name, description }) => field('Skill', `${id}: ${name}. ${description}`)),
  ].join('');
}

export const commands: readonly Command[] = [cardGet];
