import type { Terminal } from '../command-line/terminal.ts';
import type { CallSettings } from './call-settings.ts';
import { withoutControls } from './task-text.ts';

const HIDDEN = '[hidden]';

/** What a command says beside its result, on stderr. Credentials are hidden wherever they occur. */
export class Diagnostics {
  readonly #terminal: Terminal;
  readonly isDebugging: boolean;
  readonly #secrets = new Set<string>();

  constructor(terminal: Terminal, settings: CallSettings) {
    this.#terminal = terminal;
    this.isDebugging = settings.isOn('debug');
  }

  /** Texts that are never shown. */
  hide(secrets: readonly string[]): void {
    for (const secret of secrets.filter((each) => each !== '')) {
      this.#secrets.add(secret);
      this.#secrets.add(JSON.stringify(secret).slice(1, -1));
    }
  }

  warn(text: string): void {
    this.#write(`${this.#terminal.style('yellow', 'Warning:')} ${text}`);
  }

  /** For the user, whether debugging or not. */
  tell(text: string): void {
    this.#write(text);
  }

  note(text: string): void {
    if (this.isDebugging) this.#write(`debug: ${withoutControls(text)}`);
  }

  #write(text: string): void {
    let shown = text;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, HIDDEN);
    this.#terminal.error(`${shown}\n`);
  }
}
