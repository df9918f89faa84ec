import { type ReactNode, useId } from 'react'
import styles from './DrawerSection.module.css'

interface DrawerSectionProps {
  readonly title: string
  readonly about?: ReactNode
  /** The buttons, in a row. */
  readonly ways?: ReactNode
  readonly children?: ReactNode
}

/** A titled part of a drawer. */
export function DrawerSection({ title, about, ways, children }: DrawerSectionProps) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {about === undefined ? null : <p className={styles['about']}>{about}</p>}
      {children}
      {ways === undefined ? null : <div className={styles['ways']}>{ways}</div>}
    </section>
  )
}
