import type { JSX } from 'preact';
import { activeShortcuts } from '../core/keyboard.ts';
import { Dialog } from './dialog.tsx';

/** The keys that work on the open page. */
export function Help({ close }: { close: () => void }): JSX.Element {
  const shortcuts = activeShortcuts.value.flat();
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl class="keys">
        {shortcuts.map(({ keys, label }) => (
          <div key={`${keys} ${label}`}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key === 'Mod+k' ? 'Ctrl K' : key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
