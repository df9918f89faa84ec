import { Fragment, type ReactNode } from 'react'
import styles from './DetailList.module.css'

export interface Detail {
  readonly name: string
  readonly value: ReactNode
}

/** Names and values of one thing, as a definition list. */
export function DetailList({ details }: { details: readonly Detail[] }) {
  return (
    <dl className={styles['details']}>
      {details.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
