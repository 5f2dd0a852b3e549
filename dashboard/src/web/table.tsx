import type { ComponentChild, ComponentChildren } from 'preact';
import { Icon, type IconName } from './marks.tsx';
import { translated, type Language } from './language.ts';

/**
 * What a column is; a string is its label. False: left out; each row still has a cell for it. On a phone, a row is a few lines.
 * - `header`: its cells are the headers of the rows, and the first line on a phone
 * - `aside`: beside the header on a phone
 * - `plain`: without a label on a phone
 * - `detail`: left out on a phone; the page of the row has it
 * - `number`: aligned at its end
 * - `box`: a check box before the header, on a phone too. Its label selects all rows, or is empty
 */
export type Column =
  | string
  | ColumnOf<'header' | 'number' | 'aside' | 'plain' | 'detail'>
  | { readonly box: ComponentChild }
  | false;
type ColumnOf<Kind extends string> = Kind extends string ? Readonly<Record<Kind, string>> : never;

interface TableProps {
  /** The id of the heading that names the table. */
  readonly heading: string;
  readonly columns: readonly Column[];
  /** The cells of each row, in the order of the columns, or what heads the rows after it. */
  readonly rows: readonly (readonly ComponentChild[] | RowsHeading)[];
  /** Numbers of the rows that form one thing with the row before, from 0. */
  readonly joined?: readonly number[];
  /** The order of the rows that each column offers, in the order of the columns. */
  readonly orders?: readonly ColumnOrder[] | undefined;
  /** Keeps a table of short values as it is on a narrow screen. */
  readonly isCompact?: boolean;
  /** A class whose style gives several tables the same columns. */
  readonly look?: string;
}

interface RowsHeading {
  readonly rowsOf: string;
}

interface ColumnOrder {
  /** The page with the rows in another order by this column. */
  readonly href: string;
  /** The order of the rows, if it is by this column. */
  readonly direction: 'ascending' | 'descending' | undefined;
}

/**
 * A table in a region that scrolls. On a narrow screen each row folds to a few lines. A browser
 * may forget the table that is not displayed as one: the roles keep it for screen readers.
 */
export function Table({ heading, columns, rows, joined, orders, isCompact = false, look = '' }: TableProps) {
  const ifFolding = <Text extends string>(text: Text) => (isCompact ? undefined : text);
  const read = columns.map((column) => column !== false && readColumn(column));
  // Such a table may have many rows: their cells need no class.
  const hasNumbersOnly =
    isCompact && read.every((column) => !column || /header|number/.test(column.kind ?? ''));
  return (
    <div class="scroll" tabindex={0} role="region" aria-labelledby={heading}>
      <table
        class={hasNumbersOnly ? 'numbers' : isCompact ? look || undefined : `folding ${look}`.trim()}
        role={ifFolding('table')}
      >
        <thead role={ifFolding('rowgroup')}>
          <tr role={ifFolding('row')}>
            {read.map((column, index) => {
              if (column === false) return null;
              const order = orders?.[index];
              return (
                <th
                  scope="col"
                  class={column.kind}
                  role={ifFolding('columnheader')}
                  aria-sort={order?.direction}
                >
                  {order ? <a href={order.href}>{column.label}</a> : column.label}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody role={ifFolding('rowgroup')}>
          {rows.map((cells, row) =>
            'rowsOf' in cells ? (
              <tr class="rows-heading" role={ifFolding('row')}>
                <td colspan={columns.filter(Boolean).length} role={ifFolding('cell')}>
                  {cells.rowsOf}
                </td>
              </tr>
            ) : (
              <tr class={joined?.includes(row) ? 'joined' : undefined} role={ifFolding('row')}>
                {read.map((column, index) => {
                  if (column === false) return null;
                  if (column.kind === 'header')
                    return (
                      <th scope="row" role={ifFolding('rowheader')}>
                        {cells[index]}
                      </th>
                    );
                  return (
                    <td
                      class={hasNumbersOnly ? undefined : column.kind}
                      role={ifFolding('cell')}
                      data-label={column.phoneLabel && ifFolding(column.phoneLabel)}
                    >
                      {cells[index]}
                    </td>
                  );
                })}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function readColumn(column: Exclude<Column, false>): {
  readonly kind?: string;
  readonly label: ComponentChild;
  readonly phoneLabel?: string;
} {
  if (typeof column === 'string') return { label: column, phoneLabel: column };
  const [[kind, label] = ['', '']] = Object.entries<ComponentChild>(column);
  const isLabelled = (kind === 'number' || kind === 'detail') && typeof label === 'string';
  return { kind, label, ...(isLabelled && { phoneLabel: label }) };
}

interface BlankProps {
  readonly icon: IconName;
  /** Why there is nothing else, and what to do. */
  readonly children: ComponentChildren;
  /** The ways on. */
  readonly actions?: ComponentChildren;
}

/** Stands where a page has nothing to show. */
export function Blank({ icon, children, actions }: BlankProps) {
  return (
    <div class="card blank">
      <Icon name={icon} />
      {children}
      {actions && <p class="actions">{actions}</p>}
    </div>
  );
}

interface Page<Item> {
  readonly items: readonly Item[];
  /** Counts from 1. */
  readonly number: number;
  readonly count: number;
}

/** Returns the page that the query's field asks for, or the nearest one. */
export function pageOf<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  size: number,
  field = 'page',
): Page<Item> {
  const count = Math.max(1, Math.ceil(items.length / size));
  const text = query.get(field) ?? '';
  const wanted = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  const number = Math.min(wanted, count);
  return { items: items.slice((number - 1) * size, number * size), number, count };
}

interface PagerProps {
  readonly page: Page<unknown>;
  readonly path: string;
  /** The field of the query. Default: `page`. */
  readonly field?: string;
  readonly language: Language;
}

/** Returns the address of a page of a list, which may have a query. */
export function addPage(path: string, number: number, field = 'page'): string {
  return `${path}${path.includes('?') ? '&' : '?'}${field}=${String(number)}`;
}

/** Links to the pages before and after. Shows nothing if there is one page. */
export function Pager({ page: { number, count }, path, field = 'page', language }: PagerProps) {
  if (count === 1) return null;
  const texts = pagerTexts[language];
  return (
    <p class="inline">
      {number > 1 && <a href={addPage(path, number - 1, field)}>{texts.previous}</a>}
      <span>{texts.position(number, count)}</span>
      {number < count && <a href={addPage(path, number + 1, field)}>{texts.next}</a>}
    </p>
  );
}

const pagerTexts = translated({
  en: {
    previous: 'Previous page',
    next: 'Next page',
    position: (number: number, count: number) => `Page ${String(number)} of ${String(count)}`,
  },
  fr: {
    previous: 'Page précédente',
    next: 'Page suivante',
    position: (number, count) => `Page ${String(number)} sur ${String(count)}`,
  },
  es: {
    previous: 'Página anterior',
    next: 'Página siguiente',
    position: (number, count) => `Página ${String(number)} de ${String(count)}`,
  },
});
