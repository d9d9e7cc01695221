/** Says why a port cannot be opened and what to do. `purpose` distinguishes it from other ports of the program. */
export function listenError(error: unknown, host: string, port: number, purpose?: string): Error {
  const text = error instanceof Error ? error.message : String(error);
  const advice = ADVICE.find(({ code }) => text.includes(code))?.advice ?? text;
  const which = purpose === undefined ? '' : ` (${purpose})`;
  return new Error(`Cannot listen on ${host}, port ${port}${which}: ${advice}`, { cause: error });
}

const ADVICE = [
  {
    code: 'EADDRINUSE',
    advice:
      'the port is already in use. Stop the program that uses it or choose a different port (0 picks a free one).',
  },
  { code: 'EACCES', advice: 'permission denied. Choose a port above 1023.' },
  { code: 'EADDRNOTAVAIL', advice: 'this machine does not have that address. Choose a different host.' },
  { code: 'ENOTFOUND', advice: 'the host name cannot be resolved. Choose a different host.' },
];
