import type { DriverTarget } from '../../test/support/drivers/driver.ts';
import { openDriver } from '../../test/support/drivers/open-driver.ts';
import { ATTACKS } from './attacks.ts';

/*
 * All attackers, in one process next to the server: what they cost is not in the way of the caller that is measured. Prints a
 * line when all attacks are in place, and what became of their calls when its input ends.
 */

const { target, tokens } = JSON.parse(process.argv[2] ?? '{}') as {
  target: DriverTarget;
  tokens: readonly string[];
};
const counts = { accepted: 0, refused: 0 };
const attacks = ATTACKS.flatMap(({ attack, callers }) => Array.from({ length: callers }, () => attack));

const begins = await Promise.all(
  attacks.map(async (attack, index) => {
    const token = tokens[index] ?? '';
    const headers = { authorization: `Bearer ${token}` };
    const binding = index % 2 === 0 ? 'JSONRPC' : 'GRPC';
    const driver = await openDriver({ ...target, headers }, { binding, version: '1.0', client: 'raw' });
    return attack({ driver, target, token, count: (outcome) => (counts[outcome] += 1) });
  }),
);
for (const begin of begins) begin();
console.log('in place');
process.stdin.on('end', () => {
  console.log(JSON.stringify(counts));
  process.exit(0);
});
process.stdin.resume();
