import { readApi, type Api } from './read-api.ts';
import { renderReference, renderReferenceIndex } from './render-reference.ts';
import { renderReport } from './render-report.ts';

export interface ApiFiles {
  readonly api: Api;
  /** What the files hold, by their paths from the root. */
  readonly files: ReadonlyMap<string, string>;
}

export const REPORTS = 'api';
export const REFERENCE = 'docs/reference/api';

/** The report and the page of every public entry. */
export async function apiFiles(): Promise<ApiFiles> {
  const api = await readApi();
  const files = await Promise.all(
    api.entries.map(async (entry): Promise<[string, string][]> => [
      [`${REPORTS}/${entry.page}.md`, await renderReport(entry)],
      [`${REFERENCE}/${entry.page}.md`, await renderReference(api, entry)],
    ]),
  );
  return {
    api,
    files: new Map([...files.flat(), [`${REFERENCE}/README.md`, await renderReferenceIndex(api)]]),
  };
}
