import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import styles from './Navigation.module.css'
import { apiReferencePath, entryGroups, pageOf, pages } from './pages.ts'
import { useMayOpen } from './use-may-open.ts'

interface NavigationProps {
  readonly id: string
  /** Shows icons only; the label appears beside its icon on hover or focus. */
  readonly collapsed: boolean
  readonly onToggle: () => void
  /** Called when the user chose a page or left the navigation: a navigation that covers the page closes. */
  readonly onLeave: () => void
}

/** The links to the pages of the console and to the API reference. The entry of the open page is always visible. */
export function Navigation({ id, collapsed, onToggle, onLeave }: NavigationProps) {
  const list = useRef<HTMLElement>(null)
  const current = useRouterState({ select: (state) => pageOf(state.location.pathname)?.entry })
  useEffect(() => {
    const entry = list.current?.querySelector('[aria-current]')
    if (current !== undefined && list.current !== null && entry) scrollWithin(list.current, entry)
  }, [current])
  const Collapse = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav
      ref={list}
      id={id}
      className={styles['navigation']}
      data-collapsed={collapsed}
      data-tour="navigation"
      aria-label="Main"
    >
      <div className={styles['pages']}>
        {entryGroups.map((group) => (
          <EntryList key={group.title} group={group} current={current} onLeave={onLeave} />
        ))}
      </div>
      <ul className={styles['foot']}>
        <li>
          <a href={apiReferencePath} className={styles['item']}>
            <IconBook2 size={18} stroke={1.75} aria-hidden />
            <span>API reference</span>
          </a>
        </li>
        <li className={styles['collapse']}>
          <button type="button" className={styles['item']} aria-expanded={!collapsed} onClick={onToggle}>
            <Collapse size={18} stroke={1.75} aria-hidden />
            <span>{collapsed ? 'Expand navigation' : 'Collapse navigation'}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}

/**
 * Scrolls the list only as far as the entry needs to be visible. `scrollIntoView` would also move the point from which Chromium
 * 153 starts with Tab: the first Tab after a load would skip "Skip to content".
 */
function scrollWithin(list: Element, entry: Element): void {
  const visible = list.getBoundingClientRect()
  const { top, bottom } = entry.getBoundingClientRect()
  if (top < visible.top) list.scrollTop -= visible.top - top
  else if (bottom > visible.bottom) list.scrollTop += bottom - visible.bottom
}

interface EntryListProps {
  readonly group: (typeof entryGroups)[number]
  /** The title of the entry of the open page. */
  readonly current: string | null | undefined
  readonly onLeave: () => void
}

/**
 * The entries of one group that lead to a page the account may open. Until the account is loaded, all entries keep their
 * space, so that the layout does not jump.
 */
function EntryList({ group: { title, entries }, current, onLeave }: EntryListProps) {
  const id = useId()
  const mayOpen = useMayOpen()
  const listed = entries.flatMap((entry) => {
    const page = pages.find((it) => it.entry === entry.title && mayOpen(it) !== false)
    return page === undefined ? [] : [{ ...entry, page }]
  })
  if (listed.length === 0) return null
  return (
    <div className={styles['group']}>
      {title === null ? null : (
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
      )}
      <ul {...(title === null ? {} : { 'aria-labelledby': id })}>
        {listed.map((entry) => (
          <li key={entry.title} data-kept={mayOpen(entry.page) === undefined}>
            <Link
              to={entry.page.path}
              data-tour={`nav-${entry.title.toLowerCase()}`}
              className={styles['item']}
              activeOptions={{ exact: true, includeSearch: false }}
              onClick={onLeave}
              {...(entry.title === current ? { 'aria-current': 'page' } : {})}
            >
              <entry.icon size={18} stroke={1.75} aria-hidden />
              {/* Tours made before the entries name the pages. */}
              <span data-tour={`page-${entry.page.path.split('/').at(-1) || 'overview'}`}>{entry.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
