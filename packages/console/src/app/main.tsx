import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeyboard } from './core/keyboard.ts';
import { applyPreferences } from './core/preferences.ts';
import { listenToAddress } from './core/router.ts';

applyPreferences();
listenToAddress();
listenToKeyboard();

const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
