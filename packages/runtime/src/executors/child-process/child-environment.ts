/** Which environment variables of the server a program gets, and which values are added. */
export interface EnvironmentChoice {
  /** Names to pass on. `ANTHROPIC_*` matches all that start with `ANTHROPIC_`. */
  readonly names?: readonly string[];
  /** Values to set; they override those of the server. */
  readonly values?: Readonly<Record<string, string>>;
}

/** What programs need to find their files, use the locale and reach the network. No credentials. */
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
/** The server's own settings may contain secrets: a pattern never matches them. */
const OWN_PREFIX = 'HOLDWORD_';

/** The environment of a program: the usual variables, the named ones and the given values, nothing else of the server. */
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
