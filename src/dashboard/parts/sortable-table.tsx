import { type ReactNode, useMemo, useState } from 'react';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the column is put in order by. */
  readonly by: (row: Row) => string | number;
}

export interface SortableTableProps<Row> {
  /** Said to screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

interface Order {
  readonly column: number;
  readonly down: boolean;
}

/** Rows in the order they were said, until a column's name is pressed. */
export function SortableTable<Row>({ caption, columns, rows }: SortableTableProps<Row>) {
  const [order, setOrder] = useState<Order>();
  const keyed = useMemo(() => rows.map((row, key) => ({ row, key })), [rows]);
  const by = order === undefined ? undefined : columns[order.column]?.by;
  const sorted =
    by === undefined
      ? keyed
      : keyed.toSorted((a, b) => compare(by(a.row), by(b.row)) * (order?.down === true ? -1 : 1));
  const press = (column: number): void =>
    setOrder((now) =>
      now?.column !== column ? { column, down: false } : now.down ? undefined : { column, down: true },
    );
  return (
    <div className="table-frame">
      <table className="sortable">
        <caption className="for-readers-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name }, index) => {
              const down = order?.column === index ? order.down : undefined;
              return (
                <th
                  key={name}
                  scope="col"
                  aria-sort={down === undefined ? undefined : down ? 'descending' : 'ascending'}
                >
                  <button type="button" onClick={() => press(index)}>
                    {name}
                    <span className="arrow" aria-hidden="true">
                      {down === undefined ? '' : down ? '▾' : '▴'}
                    </span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ row, key }) => (
            <tr key={key}>
              {columns.map(({ name, cell }) => (
                <td key={name}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const collator = new Intl.Collator('en', { numeric: true });

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
