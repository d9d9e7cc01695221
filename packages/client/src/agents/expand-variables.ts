import { A2AError } from '@holdword/protocol';

/**
 * Replaces `${NAME}` in header values by environment variables. A variable that is not set is an error: a header with a
 * hole in it must not be sent.
 */
export function expandVariables(
  headers: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [
      header,
      value.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => {
        const found = environment[name];
        if (found !== undefined && found !== '') return checked(found, header, name);
        throw new A2AError(
          'UNAUTHENTICATED',
          `The header ${header} needs the environment variable ${name}, which is not set. Set it and start again.`,
        );
      }),
    ]),
  );
}

/** A line break in a secret is most often the end of the file it was read from. */
function checked(value: string, header: string, name: string): string {
  const trimmed = value.replace(/[\r\n]+$/, '');
  if (!/[\r\n\0]/.test(trimmed)) return trimmed;
  throw new A2AError(
    'UNAUTHENTICATED',
    `The header ${header} cannot hold the environment variable ${name}: it contains line breaks.`,
  );
}
