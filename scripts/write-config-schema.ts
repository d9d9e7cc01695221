// `npm run write:config-schema`: writes the published schema of parley.config.json from the one the program checks with.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configJsonSchema } from '../packages/cli/src/config/config-json-schema.ts';

const file = fileURLToPath(new URL('../packages/cli/parley.config.schema.json', import.meta.url));
const text = await format(JSON.stringify(configJsonSchema()), {
  ...(await resolveConfig(file)),
  filepath: file,
});
await writeFile(file, text);
