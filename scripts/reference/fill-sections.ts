import { format, resolveConfig } from 'prettier';
import { SECTIONS } from './sections.ts';

const SECTION = /(<!-- generated: (?<name>\S+) -->\n).*?(\n<!-- end -->)/gs;

/** A reference page with its generated parts made anew from the code. The rest of it is written by hand. */
export async function fillSections(page: string, file: string): Promise<string> {
  const filled = page.replaceAll(SECTION, (_, start: string, name: string, end: string) => {
    const section = SECTIONS[name];
    if (section === undefined) throw new Error(`${file}: there is no generated section "${name}".`);
    return `${start}\n${section()}\n${end}`;
  });
  return format(filled, { ...(await resolveConfig(file)), filepath: file });
}
