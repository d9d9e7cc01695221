import { expect, test } from 'vitest';
import { NO_COMMENT, parseDocComment } from './doc-comment.ts';
import type { Api, ApiEntry, ApiSymbol } from './read-api.ts';
import { renderReference } from './render-reference.ts';
import { renderReport } from './render-report.ts';

const OPEN: ApiSymbol = {
  name: 'openDoor',
  kind: 'function',
  text: 'function openDoor(options?: DoorOptions): Promise<Door>;',
  commented: 'function openDoor(options?: DoorOptions): Promise<Door>;',
  comment: parseDocComment(`*
    * Opens a door: \`a: b\` stays. See {@link DoorOptions} and {@link Window}.
    *
    * Responsible for hinges.
    *
    * @throws DoorError \`locked\`
    * @example
    * await openDoor();
    `),
  members: [],
  mentions: ['DoorOptions'],
  page: 'doors',
  file: 'packages/doors/src/open-door.ts',
};

const OPTIONS: ApiSymbol = {
  name: 'DoorOptions',
  kind: 'interface',
  text: 'interface DoorOptions {\n  width?: number;\n}',
  commented: 'interface DoorOptions {\n  width?: number;\n}',
  comment: parseDocComment('* How a door is opened. '),
  members: [
    {
      name: 'width',
      signature: 'width?: number',
      usage: 'width?',
      comment: parseDocComment('*\n * How wide.\n * @default 90\n '),
    },
    { name: 'height', signature: 'height: number', usage: 'height', comment: NO_COMMENT },
  ],
  mentions: [],
  page: 'doors',
  file: 'packages/doors/src/door-options.ts',
};

const ENTRY: ApiEntry = {
  specifier: '@holdword/doors',
  page: 'doors',
  file: 'packages/doors/src/index.ts',
  introduction: 'Doors.',
  symbols: [OPTIONS, OPEN],
  reexported: [],
};

const HOUSE: ApiEntry = {
  ...ENTRY,
  specifier: '@holdword/house',
  page: 'house',
  symbols: [],
  reexported: [OPEN],
};

const API: Api = { entries: [ENTRY, HOUSE], missing: [] };

test('a page describes every name with what its comment says', async () => {
  expect(await renderReference(API, ENTRY))
    .toBe(`<!-- Written by \`npm run write:api\` from the comments in the sources. -->

# @holdword/doors

Doors.

All names are exported by \`@holdword/doors\`. [What is public](README.md) says what that means.

| Name                    | Purpose       |
| ----------------------- | ------------- |
| [\`openDoor\`](#opendoor) | Opens a door. |

Types: [\`DoorOptions\`](#dooroptions)

## Functions

### openDoor

Opens a door: \`a: b\` stays. See [\`DoorOptions\`](#dooroptions) and \`Window\`.

\`\`\`ts
function openDoor(options?: DoorOptions): Promise<Door>;
\`\`\`

**Throws** DoorError \`locked\`

**Example**

\`\`\`ts
await openDoor();
\`\`\`

Types: [\`DoorOptions\`](#dooroptions)

## Types

### DoorOptions

How a door is opened.

- \`width?: number\`: How wide. Default: \`90\`.
- \`height: number\`
`);
});

test('what another entry describes is linked, in the contents as well', async () => {
  expect(await renderReference(API, HOUSE)).toContain('| [`openDoor`](doors.md#opendoor) | Opens a door. |');
  expect(await renderReference(API, HOUSE)).toContain('- [`openDoor`](doors.md#opendoor): Opens a door.');
});

test('the number of a guarantee leads to its page', async () => {
  const comment = { ...OPEN.comment, description: 'Opens a door at once (J5).' };
  const page = await renderReference(API, { ...ENTRY, symbols: [{ ...OPEN, comment }] });
  expect(page).toContain('Opens a door at once ([J5](../../concepts/guarantees.md)).');
});

test('a report has the declarations without comments', async () => {
  expect(await renderReport(ENTRY)).toContain(`export interface DoorOptions {
  width?: number;
}

export function openDoor(options?: DoorOptions): Promise<Door>;`);
  expect(await renderReport(HOUSE)).toContain("export { openDoor } from '@holdword/doors';");
});
