import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows that are drawn above and below what is visible. */
const OVERSCAN = 12;
/** A browser does not draw taller elements. Above, the scroll bar stands for more than it shows. */
const TALLEST = 16_000_000;

export interface VirtualRowsOptions {
  readonly count: number;
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  /** The rows on the screen have changed. */
  readonly visible: (first: number, last: number) => void;
  /** The row that must be on the screen: the one that the keyboard is on. */
  readonly keepInView?: number | undefined;
  /** Stays at the last row while rows are added, unless somebody scrolls up. */
  readonly stickToEnd?: boolean | undefined;
  readonly label: string;
  readonly role?: 'list' | 'grid' | 'table' | undefined;
}

/** Rows that rush past are drawn when they have stopped for this long. */
const SETTLED_MILLISECONDS = 60;

/** A list of rows of the same height of which only those on the screen exist. */
export function VirtualRows(options: VirtualRowsOptions): JSX.Element {
  const { count, rowHeight, row, visible, keepInView, stickToEnd = false, label } = options;
  const element = useRef<HTMLDivElement>(null);
  const atEnd = useRef(stickToEnd);
  const [view, setView] = useState({ top: 0, height: 600, rushes: false });
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const height = Math.min(TALLEST, count * rowHeight);
  /** How much taller all rows are than what can be drawn, without what is always on the screen. */
  const scale = height < TALLEST ? 1 : (count * rowHeight - view.height) / (height - view.height);
  const top = view.top * scale;
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((top + view.height) / rowHeight) + OVERSCAN);

  const measure = (): void => {
    const box = element.current;
    if (box === null) return;
    atEnd.current = box.scrollTop + box.clientHeight >= box.scrollHeight - rowHeight;
    const { scrollTop: now, clientHeight: visibleHeight } = box;
    if (now === view.top && visibleHeight === view.height) return;
    // Nobody can read what is gone with the next frame.
    const rushes = Math.abs(now - view.top) * scale > visibleHeight;
    setView({ top: now, height: visibleHeight, rushes });
    clearTimeout(settling.current);
    if (rushes)
      settling.current = setTimeout(
        () => setView((before) => ({ ...before, rushes: false })),
        SETTLED_MILLISECONDS,
      );
  };
  const latest = useRef(measure);
  latest.current = measure;
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(box);
    measure();
    return () => {
      observer.disconnect();
      clearTimeout(settling.current);
    };
  }, []);
  useEffect(() => visible(first, last), [first, last, count]);
  useLayoutEffect(() => {
    if (stickToEnd && atEnd.current && element.current !== null)
      element.current.scrollTop = element.current.scrollHeight;
  }, [count]);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null || keepInView === undefined || keepInView < 0) return;
    const wanted = keepInView * rowHeight;
    const shown = box.scrollTop * scale;
    if (wanted < shown) box.scrollTop = wanted / scale;
    else if (wanted + rowHeight > shown + box.clientHeight)
      box.scrollTop = (wanted + rowHeight - box.clientHeight) / scale;
  }, [keepInView]);

  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return (
    <div class="virtual" ref={element} onScroll={measure} tabIndex={0} role="group" aria-label={label}>
      <div class="virtual-space" style={{ height: `${height}px` }}>
        {indexes.map((index) => (
          <div
            key={index}
            class="virtual-row"
            style={{
              transform: `translateY(${index * rowHeight - top + view.top}px)`,
              height: `${rowHeight}px`,
            }}
          >
            {view.rushes ? undefined : row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
