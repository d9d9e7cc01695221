/** Says why a port could not be opened and what to do. `purpose` tells it from other ports of the same program. */
export function listenError(error: unknown, host: string, port: number, purpose?: string): Error {
  const text = error instanceof Error ? error.message : String(error);
  const advice = ADVICE.find(({ code }) => text.includes(code))?.advice ?? text;
  const which = purpose === undefined ? '' : ` (${purpose})`;
  return new Error(`Cannot listen on ${host}, port ${port}${which}: ${advice}`, { cause: error });
}

const ADVICE = [
  {
    code: 'EADDRINUSE',
    advice: 'another program uses it. Stop that program, or choose another port (0 picks a free one).',
  },
  { code: 'EACCES', advice: 'this user may not open it. Choose a port above 1023.' },
  { code: 'EADDRNOTAVAIL', advice: 'this machine has no such address. Choose another host.' },
  { code: 'ENOTFOUND', advice: 'the host name is unknown. Choose another host.' },
];
