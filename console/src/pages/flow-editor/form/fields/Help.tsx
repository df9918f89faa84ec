import { Fragment } from 'react'
import styles from './fields.module.css'

/** The help beside a field: what stands between backticks is code. */
export function Help({ text, warnings }: { text: string; warnings: readonly string[] }) {
  return (
    <>
      {[...text.matchAll(/`([^`]*)`|[^`]+/g)].map(({ 0: words, 1: code, index }) =>
        code === undefined ? (
          <Fragment key={index}>{words}</Fragment>
        ) : (
          <code key={index} className={styles['code']}>
            {code}
          </code>
        ),
      )}
      {warnings.map((warning) => (
        <span key={warning} className={styles['warning']}>
          {warning}
        </span>
      ))}
    </>
  )
}
