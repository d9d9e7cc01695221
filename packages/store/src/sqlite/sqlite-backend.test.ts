import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeFolderStore } from '../testing/describe-folder-store.ts';
import { describeStore } from '../testing/describe-store.ts';
import { openInFolder } from '../testing/open-in-folder.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

describeStore(
  'sqlite',
  openInFolder((folder) => openSqliteStore({ folder })),
);

describeFolderStore({
  name: 'sqlite',
  open: (folder) => openSqliteStore({ folder }),
  async makeNewer(folder) {
    const file = join(folder, 'holdword.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 999');
    database.close();
    return file;
  },
});
