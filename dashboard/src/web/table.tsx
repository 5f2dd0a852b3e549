import type { ComponentChildren } from 'preact';

export interface TableProps {
  /** The id of the heading that names the table. */
  readonly heading: string;
  /** Aligns a column of numbers at its end. Leaves out a column that is false. */
  readonly columns: readonly (string | { readonly number: string } | false)[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table in a region that scrolls when the screen is narrow. */
export function Table({ heading, columns, children }: TableProps) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-labelledby={heading}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'object' ? (
                <th scope="col" class="number">
                  {column.number}
                </th>
              ) : (
                column !== false && <th scope="col">{column}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
