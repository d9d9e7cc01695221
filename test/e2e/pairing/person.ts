import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { onTestFinished } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Somebody at a command line, in a folder. */
export interface Person {
  readonly folder: string;
  run(...words: string[]): Promise<Ran>;
  /** Offers to pair. Resolves with what the other side types. */
  pair(...words: string[]): Promise<Offer>;
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly stdout: string;
}

export interface Offer {
  readonly offer: HoldwordProcess;
  readonly invitation: string;
  readonly link: string;
}

/** Somebody who may serve an agent from a folder. */
export interface ServingPerson extends Person {
  serve(...words: string[]): Promise<HoldwordProcess>;
}

/** A person in a folder that exists. What they have started is killed when the test ends. */
export function personIn(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Person & { start(...words: string[]): HoldwordProcess } {
  const start = (...words: string[]): HoldwordProcess => {
    const holdword = new HoldwordProcess(words, { cwd: folder, environment });
    onTestFinished(() => holdword.kill());
    return holdword;
  };
  return {
    folder,
    start,
    async run(...words) {
      const holdword = start(...words);
      const code = await holdword.ended;
      return { code, output: holdword.output(), stdout: holdword.stdout() };
    },
    async pair(...words) {
      const offer = start('pair', ...words);
      const [, invitation = ''] = await offer.printed(/holdword join (\S+)/);
      const [, link = ''] = await offer.printed(/link: (\S+)/);
      return { offer, invitation, link };
    },
  };
}

/** A person with a folder and a port of their own. */
export async function makePerson(name: string): Promise<ServingPerson> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const person = personIn(folder.path, {
    HOME: folder.path,
    XDG_CONFIG_HOME: join(folder.path, 'config'),
    HOLDWORD_PORT: String(await freePort()),
  });
  return {
    ...person,
    async serve(...words) {
      const server = person.start('serve', '--grpc-port', 'off', '--card-name', name, ...words);
      await server.printed(/Ctrl-C/);
      return server;
    },
  };
}
