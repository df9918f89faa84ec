import { Link, useRouterState } from '@tanstack/react-router'
import { useRef } from 'react'
import { useCurrentInView } from '../parts/use-current-in-view.ts'
import styles from './EntryTabs.module.css'
import { pages } from './pages.ts'
import { useMayOpen } from './use-may-open.ts'

/**
 * The pages of the current entry of the navigation as tabs. Pages below them, such as one item of a list, have none. Until
 * the account is loaded, the tabs keep their space, so that the layout does not jump.
 */
export function EntryTabs() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const mayOpen = useMayOpen()
  const list = useRef<HTMLUListElement>(null)
  const entry = pages.find((page) => page.path === path)?.entry
  const tabs = pages.filter((page) => page.entry === entry && mayOpen(page) !== false)
  const isShown = entry !== undefined && entry !== null && tabs.length > 1

  useCurrentInView(list, `${path} ${tabs.length}`)

  if (!isShown) return null
  return (
    <nav aria-label={entry} className={styles['tabs']}>
      <ul ref={list}>
        {tabs.map((page) => (
          <li key={page.path} data-kept={mayOpen(page) === undefined}>
            <Link
              to={page.path}
              data-tour={`page-${page.path.split('/').at(-1)}`}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {'tab' in page ? page.tab : page.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
