import { type ReactNode, useId } from 'react'
import styles from './Section.module.css'

interface SectionProps {
  readonly title: string
  /** A few words beside the title, such as a count. */
  readonly note?: ReactNode
  /** Controls at the right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A titled part of a page on its own surface. */
export function Section({ title, note, aside, children }: SectionProps) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['heading']}>
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span className={styles['note']}>{note}</span>}
        {aside === undefined ? null : <div className={styles['aside']}>{aside}</div>}
      </div>
      <Surface>{children}</Surface>
    </section>
  )
}

/** The bordered background of tables and lists. */
export function Surface({ children }: { children: ReactNode }) {
  return <div className={styles['surface']}>{children}</div>
}
