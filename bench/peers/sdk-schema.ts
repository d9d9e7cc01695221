import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tables as the SDK's own tool creates them. */
export function sdkSchema(dialect: 'sqlite' | 'postgres'): string {
  const tool = fileURLToPath(new URL('./cli/a2a_db.js', import.meta.resolve('@a2a-js/sdk')));
  return execFileSync(process.execPath, [tool, 'upgrade', '--sql', '--dialect', dialect], {
    encoding: 'utf8',
  });
}
