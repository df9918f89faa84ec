import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { EntryTabs } from '../shell/EntryTabs.tsx'
import styles from './Page.module.css'

interface PageProps {
  readonly title: string
  /** An introduction to the page, for new users. */
  readonly lead?: ReactNode
  /** Controls and notes at the right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/**
 * The frame of every page: the browser's title, the heading, the tabs beside it in the navigation, and the focus on the
 * heading, which makes screen readers announce the page.
 */
export function Page({ title, lead, aside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const router = useRouter()
  useEffect(() => {
    // On the first load the focus stays at the start of the document, where the browser puts it.
    const isFirst = router.state.resolvedLocation === undefined
    if (!isFirst) heading.current?.focus({ preventScroll: true })
  }, [router])
  return (
    <div className={styles['page']}>
      <title>{`${title} · Tutti`}</title>
      <div className={styles['heading']}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside === undefined ? null : <div className={styles['aside']}>{aside}</div>}
      </div>
      <EntryTabs />
      {lead === undefined ? null : <p className={styles['lead']}>{lead}</p>}
      {children}
    </div>
  )
}
