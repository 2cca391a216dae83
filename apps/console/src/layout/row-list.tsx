import { Loader } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  /** Of the row's width, in parts. */
  readonly share: number;
  /** Left out where the screen is narrow. */
  readonly onlyWide?: true;
}

const ROW_PX = 36;
/** Below it only what is needed to tell rows apart is shown. */
const WIDE_PX = 760;
/** The first column holds a badge, which must not be cut. */
const FIRST_COLUMN_PX = 104;
const ROWS_OF_A_PAGE = 10;

/**
 * A long list, of which only the rows on the screen are in the page. Up and down, page up and down, home and end move
 * along it, Enter opens; the row that is open is told by its mark too.
 */
export function RowList<Item>(props: {
  label: string;
  items: readonly Item[];
  idOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  open: string | undefined;
  onOpen: (id: string) => void;
  isLoading?: boolean;
  /** Reads on, where there is more. */
  more?: (() => void) | undefined;
  empty?: ReactNode;
}) {
  const { label, items, idOf, open, onOpen, isLoading = false, more } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: sized, width } = useElementSize();
  const columns = props.columns.filter(({ onlyWide }) => !onlyWide || width >= WIDE_PX);
  const place = useMergedRef(scroller, sized);
  const [current, setCurrent] = useState(0);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && items.length > 0 && lastShown >= items.length - ROWS_OF_A_PAGE) more();
  }, [more, items.length, lastShown]);

  const at = Math.min(current, items.length - 1);
  const go = (index: number) => {
    const next = Math.max(0, Math.min(items.length - 1, index));
    setCurrent(next);
    rows.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + ROWS_OF_A_PAGE,
      PageUp: at - ROWS_OF_A_PAGE,
      Home: 0,
      End: items.length - 1,
    };
    const target = steps[event.key];
    const item = items[at];
    if (target !== undefined) go(target);
    else if (event.key === 'Enter' && item !== undefined) onOpen(idOf(item));
    else return;
    event.preventDefault();
  };

  const template = {
    gridTemplateColumns: columns
      .map(({ share }, index) => `minmax(${index === 0 ? FIRST_COLUMN_PX : 0}px, ${share}fr)`)
      .join(' '),
  };
  const rowId = (index: number) => `${label}-row-${index}`.replaceAll(/\W+/g, '-');
  return (
    <div
      className="row-list"
      role="grid"
      aria-label={label}
      aria-rowcount={more ? -1 : items.length + 1}
      aria-activedescendant={items.length > 0 ? rowId(at) : undefined}
      tabIndex={0}
      ref={place}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="row-heads">
        <div role="row" aria-rowindex={1} className="row" style={template}>
          {columns.map((column) => (
            <div role="columnheader" key={column.title} className="cell">
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="rows" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const item = items[index]!;
          const id = idOf(item);
          return (
            <div
              role="row"
              key={key}
              id={rowId(index)}
              aria-rowindex={index + 2}
              aria-selected={id === open}
              className={index === at ? 'row row-current' : 'row'}
              style={{ ...template, transform: `translateY(${start}px)` }}
              onClick={() => {
                setCurrent(index);
                onOpen(id);
              }}
            >
              {columns.map((column) => (
                <div role="gridcell" key={column.title} className="cell">
                  {column.cell(item)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
      {items.length === 0 && (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell" className="empty">
              {isLoading ? (
                <Loader size="sm" aria-label={t('layout.loading')} />
              ) : (
                (props.empty ?? t('layout.nothing'))
              )}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}
