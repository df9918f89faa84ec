import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './LongTable.module.css'
import type { BodyProps } from './LongTable.tsx'

const usualRowHeight = 45

/** The rows of a long table near the window; the others are empty space. The row with the focus stays, so that the focus is never lost. */
export default function VirtualRows({ keys, focused, renderRow, columns, onScroller }: BodyProps) {
  const top = useRef<HTMLTableRowElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    // What is above the table changes its height, such as filters that open.
    const observer = new ResizeObserver(() => {
      const box = top.current?.getBoundingClientRect()
      if (box !== undefined) setScrollMargin(Math.round(box.top + window.scrollY))
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  // Its functions keep their identity while their results change; nothing here memoises them.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => usualRowHeight,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 12,
    scrollMargin,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(focused, keys.length - 1)])].toSorted(
        (one, other) => one - other,
      ),
  })
  const items = virtualizer.getVirtualItems()
  useEffect(
    () => onScroller((index) => virtualizer.scrollToIndex(index, { align: 'auto' })),
    [onScroller, virtualizer],
  )

  let end = scrollMargin
  const rows = items.map((item) => {
    const gap = item.start - end
    end = item.end
    return (
      <Fragment key={item.key}>
        {gap > 0 && item.index > 0 ? <Spacer height={gap} columns={columns} /> : null}
        {renderRow(item.index, virtualizer.measureElement)}
      </Fragment>
    )
  })
  return (
    <>
      <tr ref={top} aria-hidden className={styles['spacer']}>
        <td colSpan={columns} />
      </tr>
      {rows}
      <Spacer height={Math.max(0, virtualizer.getTotalSize() + scrollMargin - end)} columns={columns} />
    </>
  )
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden className={styles['spacer']}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}
