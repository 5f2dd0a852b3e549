import type { ComponentChild } from 'preact';

/** `number`: aligned at its end. `header`: its cells are the headers of the rows. False: left out; each row still has a cell for it. */
export type Column = string | { readonly number: string } | { readonly header: string } | false;

export interface TableProps {
  /** The id of the heading that names the table. */
  readonly heading: string;
  readonly columns: readonly Column[];
  /** The cells of each row, in the order of the columns. */
  readonly rows: readonly (readonly ComponentChild[])[];
  /** Keeps a table of short values as it is on a narrow screen. */
  readonly isCompact?: boolean;
}

/**
 * A table in a region that scrolls. On a narrow screen each row folds to a card, and each value has its label above it. A browser
 * may forget the table that is not displayed as one: the roles keep it for screen readers.
 */
export function Table({ heading, columns, rows, isCompact = false }: TableProps) {
  const ifFolding = <Text extends string>(text: Text) => (isCompact ? undefined : text);
  return (
    <div class="scroll" tabindex={0} role="region" aria-labelledby={heading}>
      <table class={ifFolding('folding')} role={ifFolding('table')}>
        <thead role={ifFolding('rowgroup')}>
          <tr role={ifFolding('row')}>
            {columns.map(
              (column) =>
                column !== false && (
                  <th
                    scope="col"
                    class={isNumber(column) ? 'number' : undefined}
                    role={ifFolding('columnheader')}
                  >
                    {labelOf(column)}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody role={ifFolding('rowgroup')}>
          {rows.map((cells) => (
            <tr role={ifFolding('row')}>
              {columns.map((column, index) => {
                if (column === false) return null;
                if (typeof column === 'object' && 'header' in column)
                  return (
                    <th scope="row" role={ifFolding('rowheader')}>
                      {cells[index]}
                    </th>
                  );
                return (
                  <td
                    class={isNumber(column) ? 'number' : undefined}
                    role={ifFolding('cell')}
                    data-label={ifFolding(labelOf(column))}
                  >
                    {cells[index]}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isNumber(column: Column): boolean {
  return typeof column === 'object' && 'number' in column;
}

function labelOf(column: Exclude<Column, false>): string {
  if (typeof column === 'string') return column;
  return 'number' in column ? column.number : column.header;
}
