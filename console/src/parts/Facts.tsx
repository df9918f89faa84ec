import { Fragment, type ReactNode } from 'react'
import styles from './Facts.module.css'

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

/** Names and values of one thing, as a definition list. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
