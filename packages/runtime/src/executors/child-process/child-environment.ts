/** Which of the server's environment variables a program gets, and which values beside them. */
export interface EnvironmentChoice {
  /** Names to pass on. `ANTHROPIC_*` stands for all that begin so. */
  readonly names?: readonly string[];
  /** Set as they are; they win over the server's. */
  readonly values?: Readonly<Record<string, string>>;
}

/** What programs need to find their files, speak their user's language and reach the network. No credentials. */
const USUAL_NAMES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TZ',
  'TMPDIR',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'XDG_*',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
];
/** The server's own settings may hold its secrets: a pattern never lets them through. */
const OWN_PREFIX = 'HOLDWORD_';

/**
 * The environment of a program: the usual variables, those that are named, and the values given. All others of the server
 * stay with the server.
 */
export function childEnvironment(
  choices: readonly EnvironmentChoice[],
  source: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const allowed = [...USUAL_NAMES, ...choices.flatMap(({ names }) => names ?? [])];
  const passedOn = Object.entries(source).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && allowed.some((pattern) => allows(pattern, entry[0])),
  );
  return Object.assign(Object.fromEntries(passedOn), ...choices.map(({ values }) => values));
}

function allows(pattern: string, name: string): boolean {
  if (!pattern.endsWith('*')) return pattern === name;
  return name.startsWith(pattern.slice(0, -1)) && !name.startsWith(OWN_PREFIX);
}
