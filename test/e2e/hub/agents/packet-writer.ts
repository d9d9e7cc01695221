// A scripted command-line agent that writes a packet: it tells the first line of the journal that says what remains.
import { text } from 'node:stream/consumers';

const [line = ''] = (await text(process.stdin)).split('\n').filter((each) => each.startsWith('{"task_id"'));
const { task_id, sequence, text: said } = JSON.parse(line) as Record<string, string>;
const quote = said?.split('\n').find((each) => each.startsWith('Remaining'));
process.stdout.write(JSON.stringify({ remember: [{ text: quote, quote, task_id, sequence }] }));
