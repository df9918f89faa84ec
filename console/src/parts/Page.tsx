import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './Page.module.css'

interface PageProps {
  readonly title: string
  /** What the page is about, for who sees it the first time. */
  readonly lead?: ReactNode
  /** Controls and notes at the right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** The frame of every page: the browser's title, the heading, and the focus that tells a screen reader we moved. */
export function Page({ title, lead, aside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const router = useRouter()
  useEffect(() => {
    // On the first load the browser's own start of the document is the better place.
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
      {lead === undefined ? null : <p className={styles['lead']}>{lead}</p>}
      {children}
    </div>
  )
}
