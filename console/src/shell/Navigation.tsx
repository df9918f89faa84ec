import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import styles from './Navigation.module.css'
import { apiReferencePath, type PageEntry, pages } from './pages.ts'
import { useMayOpen } from './use-may-open.ts'

interface NavigationProps {
  readonly id: string
  /** Icons alone; each word appears beside its icon under the pointer or the focus. */
  readonly collapsed: boolean
  readonly onToggle: () => void
  /** A page was chosen, or the person turned away: a navigation that covers the page goes. */
  readonly onLeave: () => void
}

/** The pages of the console, and the way to the API reference. */
export function Navigation({ id, collapsed, onToggle, onLeave }: NavigationProps) {
  const Collapse = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav
      id={id}
      className={styles['navigation']}
      data-collapsed={collapsed}
      data-tour="navigation"
      aria-label="Main"
    >
      <div className={styles['pages']}>
        <PageList menu="work" onLeave={onLeave} />
        <PageList menu="platform" title="Platform" onLeave={onLeave} />
        <PageList menu="access" title="Access" onLeave={onLeave} />
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

interface PageListProps {
  readonly menu: PageEntry['menu']
  readonly title?: string
  readonly onLeave: () => void
}

/** The pages of one menu that the account reaches. Until that is known their places are kept, so that nothing jumps. */
function PageList({ menu, title, onLeave }: PageListProps) {
  const id = useId()
  const mayOpen = useMayOpen()
  const listed = pages.filter((page) => page.menu === menu && mayOpen(page) !== false)
  if (listed.length === 0) return null
  return (
    <div className={styles['group']}>
      {title === undefined ? null : (
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
      )}
      <ul {...(title === undefined ? {} : { 'aria-labelledby': id })}>
        {listed.map((page) => (
          <li key={page.path} data-kept={mayOpen(page) === undefined}>
            <Link
              to={page.path}
              data-tour={`page-${page.path.split('/').at(-1) || 'overview'}`}
              className={styles['item']}
              activeOptions={{ exact: page.path === '/', includeSearch: false }}
              onClick={onLeave}
            >
              <page.icon size={18} stroke={1.75} aria-hidden />
              <span>{page.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
