// A scripted command-line agent: it ports one file and works on the next until it is killed. Told to go on, it ports the
// rest and ends.
import { text } from 'node:stream/consumers';

const message = await text(process.stdin);

if (message.startsWith('Go on')) {
  process.stdout.write('- [x] port parser.c\n- [x] port errors.c\nAll three files are ported.\n');
} else {
  process.stdout.write(
    [
      'Decision: keep the names of the old functions',
      '- [x] port lexer.c',
      '- [ ] port parser.c',
      '- [ ] port errors.c',
      'Next: port parser.c, beginning with parse_list',
      'Risk: parse_list recurses without a limit',
      `working as process ${process.pid}`,
      '',
    ].join('\n'),
  );
  setInterval(() => {}, 60_000);
}
