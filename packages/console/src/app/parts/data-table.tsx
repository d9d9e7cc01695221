import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { visibleLine } from '../core/foreign-text.ts';
import { cellText, compareCells, type TableData } from '../core/table.ts';

const PAGE = 200;

/** A table that a click on a column sorts. */
export function DataTable({ columns, rows }: TableData): JSX.Element {
  const [sorting, setSorting] = useState<{ column: number; descending: boolean }>();
  const [shown, setShown] = useState(PAGE);
  const sorted = useMemo(() => {
    if (sorting === undefined) return rows;
    const { column, descending } = sorting;
    const ordered = rows.toSorted((one, other) => compareCells(one[column], other[column]));
    return descending ? ordered.toReversed() : ordered;
  }, [rows, sorting]);
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table class="data-table">
        <thead>
          <tr>
            {columns.map((name, column) => {
              const own = sorting?.column === column ? sorting : undefined;
              return (
                <th
                  key={column}
                  aria-sort={own === undefined ? 'none' : own.descending ? 'descending' : 'ascending'}
                >
                  <button
                    type="button"
                    class="quiet small"
                    onClick={() => setSorting({ column, descending: own !== undefined && !own.descending })}
                  >
                    {visibleLine(name, 80) || '–'}
                    <span aria-hidden="true">{own === undefined ? '' : own.descending ? ' ↓' : ' ↑'}</span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row, index) => (
            <tr key={index}>
              {columns.map((_, column) => (
                <td key={column} class={typeof row[column] === 'number' ? 'numeric' : 'wrap'}>
                  {cellText(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <button type="button" class="quiet small" onClick={() => setShown(shown + PAGE * 5)}>
          {rows.length - shown} more rows
        </button>
      )}
    </div>
  );
}
