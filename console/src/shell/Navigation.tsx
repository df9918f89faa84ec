import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import { Link } from '@tanstack/react-router'
import styles from './Navigation.module.css'
import { apiReferencePath, pages } from './pages.ts'

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
    <nav id={id} className={styles['navigation']} data-collapsed={collapsed} aria-label="Main">
      <ul>
        {pages
          .filter(({ menu }) => menu === 'navigation')
          .map(({ path, title, icon: Icon }) => (
            <li key={path}>
              <Link
                to={path}
                className={styles['item']}
                activeOptions={{ exact: path === '/', includeSearch: false }}
                onClick={onLeave}
              >
                <Icon size={18} stroke={1.75} aria-hidden />
                <span>{title}</span>
              </Link>
            </li>
          ))}
      </ul>
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
