import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stateName } from '../core/format.ts';
import { activeShortcuts } from '../core/keyboard.ts';
import { switchClock, switchTheme } from '../core/preferences.ts';
import { hrefOf, navigate } from '../core/router.ts';
import { signOut } from '../core/session.ts';
import { Dialog } from './dialog.tsx';

interface Command {
  readonly title: string;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

const STATES = ['WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED'];
/** What looks like the id of a task can be opened by it. */
const ID = /^[\w.:-]{6,200}$/;

/** Everything that can be done from here, found by typing. */
export function Palette({
  places,
  close,
  showHelp,
}: {
  places: readonly { readonly name: string; readonly title: string; readonly keys: string }[];
  close: () => void;
  showHelp: () => void;
}): JSX.Element {
  const [typed, setTyped] = useState('');
  const [selected, setSelected] = useState(0);
  const commands = matching(typed, allCommands(places, showHelp));
  const index = Math.min(selected, Math.max(0, commands.length - 1));
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setSelected(Math.min(commands.length - 1, index + 1));
    else if (event.key === 'ArrowUp') setSelected(Math.max(0, index - 1));
    else if (event.key === 'Enter') run(commands[index]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Page, command or task id"
        aria-expanded="true"
        aria-controls="palette-commands"
        aria-activedescendant={commands.length === 0 ? undefined : `command-${index}`}
        placeholder="Page, command or task id"
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="palette" id="palette-commands" role="listbox" aria-label="Commands">
        {commands.map((command, each) => (
          <li
            key={command.title}
            id={`command-${each}`}
            role="option"
            aria-selected={each === index}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            {command.keys !== undefined && <kbd>{command.keys}</kbd>}
          </li>
        ))}
        {commands.length === 0 && (
          <li class="muted">Nothing matches. Type a page, a command, or the id of a task.</li>
        )}
      </ul>
    </Dialog>
  );
}

function allCommands(places: Parameters<typeof Palette>[0]['places'], showHelp: () => void): Command[] {
  const ofPage = activeShortcuts
    .peek()
    .flat()
    .filter(({ keys }) => /^[a-z]$/.test(keys) && keys !== 'j' && keys !== 'k')
    .map(({ label, keys, run }) => ({ title: label, keys, run }));
  return [
    ...ofPage,
    ...places.map(({ name, title, keys }) => ({ title, keys, run: () => navigate(hrefOf([name])) })),
    ...STATES.map((state) => ({
      title: `Tasks: ${stateName(state)}`,
      run: () => navigate(hrefOf(['tasks'], { state: stateName(state).replaceAll(' ', '-') })),
    })),
    { title: 'Switch between light and dark', keys: 'g l', run: switchTheme },
    { title: 'Switch between local time and UTC', keys: 'g u', run: switchClock },
    { title: 'Keyboard shortcuts', keys: '?', run: showHelp },
    { title: 'Sign out', run: () => void signOut() },
  ];
}

function matching(typed: string, commands: readonly Command[]): Command[] {
  const words = typed.toLowerCase().split(' ').filter(Boolean);
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const id = typed.trim();
  if (!ID.test(id)) return found.slice(0, 20);
  return [...found.slice(0, 20), { title: `Open task ${id}`, run: () => navigate(hrefOf(['tasks', id])) }];
}
