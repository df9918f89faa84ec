import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './PageTabs.module.css'
import { useCurrentInView } from './use-current-in-view.ts'

interface PageTabsProps<Value extends string> {
  /** The accessible name of the list of tabs. */
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly value: Value; readonly label: string }>
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** The content of the chosen tab. */
  readonly children: ReactNode
}

const moves: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The views of one page. The tabs are one Tab stop; arrow keys, Home and End choose a tab. */
export function PageTabs<Value extends string>(props: PageTabsProps<Value>) {
  const { label, tabs, value, onChange, children } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useCurrentInView(list, value)
  function onKeyDown(press: KeyboardEvent<HTMLElement>): void {
    const move = moves[press.key]
    if (move === undefined || press.ctrlKey || press.metaKey || press.altKey) return
    press.preventDefault()
    const index = move(
      tabs.findIndex((tab) => tab.value === value),
      tabs.length,
    )
    const next = tabs[index]
    if (next === undefined) return
    onChange(next.value)
    press.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }
  return (
    <>
      <div ref={list} className={styles['tabs']} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-tour={`tab-${tab.value}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab.value === value}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div className={styles['panel']} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
