import { type CSSProperties, type KeyboardEvent, useMemo, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import styles from './JsonTree.module.css'
import { type JsonRow, jsonRows, openAtFirst } from './json-rows.ts'

/** A longer text is shown in part until its row is opened. */
const maxText = 300

/**
 * A JSON value as a tree. It is one Tab stop: up and down move, right and left open and close, `*` opens all siblings. The
 * path and the value of the current row can be copied below the tree.
 */
export default function JsonTree({ value, what }: { value: unknown; what: string }) {
  const [open, setOpen] = useState(() => openAtFirst(value))
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState('')
  const rows = useMemo(() => jsonRows(value, { open, whole }), [value, open, whole])
  const row = rows.find(({ id }) => id === current) ?? rows[0]

  const toggle = (ids: readonly string[], isOpen: boolean) =>
    setOpen((before) => {
      const after = new Set(before)
      for (const id of ids) {
        if (isOpen) after.add(id)
        else after.delete(id)
      }
      return after
    })
  const showWhole = (id: string) => setWhole((before) => new Set(before).add(id))

  function onKeyDown(press: KeyboardEvent<HTMLElement>): void {
    if (row === undefined || press.ctrlKey || press.metaKey || press.altKey) return
    const index = rows.indexOf(row)
    const go = (target: JsonRow | undefined) => {
      if (target === undefined) return
      setCurrent(target.id)
      const items = press.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')
      items[rows.indexOf(target)]?.focus()
    }
    const parent = () => rows.findLast((it, place) => place < index && it.path.length < row.path.length)
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(rows[index + 1]),
      ArrowUp: () => go(rows[index - 1]),
      Home: () => go(rows[0]),
      End: () => go(rows.at(-1)),
      ArrowRight: () => (row.isOpen ? go(rows[index + 1]) : toggle([row.id], true)),
      ArrowLeft: () => (row.isOpen ? toggle([row.id], false) : go(parent())),
      Enter: () => toggle([row.id], !open.has(row.id)),
      ' ': () => toggle([row.id], !open.has(row.id)),
      '*': () =>
        toggle(
          rows.filter(({ path }) => path.length === row.path.length).map(({ id }) => id),
          true,
        ),
    }
    const act = keys[press.key]
    if (act === undefined) return
    press.preventDefault()
    act()
  }

  return (
    <div className={styles['frame']}>
      <div className={styles['tree']} role="tree" aria-label={what} onKeyDown={onKeyDown}>
        {rows.map((it) => (
          <TreeRow
            key={it.id}
            row={it}
            isOpen={open.has(it.id)}
            isCurrent={it === row}
            onFocus={() => setCurrent(it.id)}
            onToggle={() => toggle([it.id], !open.has(it.id))}
          />
        ))}
      </div>
      {row === undefined ? null : (
        <div className={styles['foot']}>
          <code>{row.id === '' ? 'whole value' : row.id}</code>
          {row.id === '' ? null : <CopyButton text={row.id} what="path" />}
          <CopyButton text={textOf(row.value)} what="value" />
          {rows
            .filter(({ left }) => left > 0)
            .map(({ path, siblings }) => {
              const list = rows.find((it) => it.isOpen && it.size === siblings && isParent(it.path, path))
              return list === undefined ? null : (
                <button key={list.id} type="button" onClick={() => showWhole(list.id)}>
                  Show all {siblings.toLocaleString()} of {list.id === '' ? 'the list' : list.id}
                </button>
              )
            })}
        </div>
      )}
    </div>
  )
}

function isParent(path: JsonRow['path'], child: JsonRow['path']): boolean {
  return path.length === child.length - 1 && path.every((part, index) => part === child[index])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

interface TreeRowProps {
  readonly row: JsonRow
  /** Shows a long text as a whole, or the members of the value. */
  readonly isOpen: boolean
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onToggle: () => void
}

function TreeRow({ row, isOpen, isCurrent, onFocus, onToggle }: TreeRowProps) {
  const { path, value, size, position, siblings } = row
  const name = path.at(-1)
  const isLong = typeof value === 'string' && value.length > maxText
  return (
    <div
      role="treeitem"
      className={styles['row']}
      style={{ '--level': path.length } as CSSProperties}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={path.length + 1}
      aria-setsize={siblings}
      aria-posinset={position}
      aria-selected={isCurrent}
      {...(size === undefined && !isLong ? {} : { 'aria-expanded': isOpen })}
      onFocus={onFocus}
      onClick={size === undefined && !isLong ? undefined : onToggle}
    >
      <span className={styles['mark']} aria-hidden />
      {name === undefined ? null : <span className={styles['name']}>{name}: </span>}
      {size === undefined ? (
        <span className={typeof value === 'string' ? styles['text'] : styles['literal']}>
          {isLong && !isOpen ? `${JSON.stringify(value.slice(0, maxText))}…` : JSON.stringify(value)}
        </span>
      ) : (
        <span className={styles['size']}>{describeSize(value, size)}</span>
      )}
    </div>
  )
}

function describeSize(value: unknown, size: number): string {
  if (Array.isArray(value)) return size === 1 ? '1 item' : `${size.toLocaleString()} items`
  return size === 1 ? '1 field' : `${size.toLocaleString()} fields`
}
