import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'
import styles from './JsonView.module.css'

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A value as indented JSON, with keys and values in different colours. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className={styles['frame']}>
      <div className={styles['copy']}>
        <CopyButton text={text} what={what} />
      </div>
      {/* Long lines scroll, and a scrollable region must be reachable by keyboard. */}
      <pre className={styles['json']} tabIndex={0} role="region" aria-label={what}>
        {colour(text)}
      </pre>
    </div>
  )
}

function colour(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match
    if (colon !== undefined) continue
    parts.push(text.slice(end, match.index))
    parts.push(
      <span key={match.index} className={styles[string === undefined ? 'literal' : 'text']}>
        {whole}
      </span>,
    )
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}
