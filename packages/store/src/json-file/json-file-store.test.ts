import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFolderStore } from '../testing/describe-folder-store.ts';
import { describeStore } from '../testing/describe-store.ts';
import { openInFolder } from '../testing/open-in-folder.ts';
import { openJsonFileStore } from './open-json-file-store.ts';

describeStore(
  'json-file',
  openInFolder((folder) => openJsonFileStore({ folder })),
);

describeFolderStore({
  name: 'json-file',
  open: (folder) => openJsonFileStore({ folder }),
  async makeNewer(folder) {
    const [name = ''] = await readdir(join(folder, 'tasks'));
    const file = join(folder, 'tasks', name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"version":1', '"version":999'));
    return file;
  },
});
