import { A2AError } from '@holdword/protocol';

/**
 * Replaces `${NAME}` in header values with environment variables. A variable that is not set is an error, because an
 * incomplete header must not be sent.
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
          `The header ${header} needs the environment variable ${name}, which is not set. Set it and restart.`,
        );
      }),
    ]),
  );
}

/** A trailing line break usually comes from the file that the secret was read from. */
function checked(value: string, header: string, name: string): string {
  const trimmed = value.replace(/[\r\n]+$/, '');
  if (!/[\r\n\0]/.test(trimmed)) return trimmed;
  throw new A2AError(
    'UNAUTHENTICATED',
    `The environment variable ${name} cannot be used in the header ${header}: it contains line breaks.`,
  );
}
