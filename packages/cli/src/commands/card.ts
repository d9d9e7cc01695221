import { asObject } from '@holdword/protocol/internal';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import type { FoundCard } from '../calling/find-card.ts';
import { reportMisuse, runCall } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { listed } from './command-list.ts';

const cardGet: Command = {
  ...listed('card get'),
  misused: reportMisuse,
  details: 'The card is public: no credentials are sent for it.',
  options: CALL_OPTIONS,
  examples: [
    { comment: 'See what an agent can do', command: 'holdword card get -a localhost:4310' },
    {
      comment: 'For programs: the card as it was published',
      command: 'holdword card get -a localhost:4310 -o json',
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(input, async ({ find, print }) => {
      const { found } = await find();
      print(found.published, () => cardText(found));
    }),
};

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
