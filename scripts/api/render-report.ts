import { formatWith } from './format.ts';
import type { ApiEntry } from './read-api.ts';

/** What an entry exports, without comments: what changes here changes for users. */
export async function renderReport(entry: ApiEntry): Promise<string> {
  const reexports = Map.groupBy(entry.reexported, ({ page }) => page);
  const lines = [
    ...[...reexports].map(
      ([page, symbols]) =>
        `export { ${symbols.map(({ name }) => name).join(', ')} } from '@holdword/${page.replace('-', '/')}';`,
    ),
    ...entry.symbols.map(({ text }) => `export ${text.replaceAll(/\nfunction /g, '\nexport function ')}`),
  ];
  return formatWith(
    'markdown',
    `<!-- Written by \`npm run write:api\`. -->

# Public API of \`${entry.specifier}\`

\`\`\`ts
${lines.join('\n\n')}
\`\`\`
`,
  );
}
