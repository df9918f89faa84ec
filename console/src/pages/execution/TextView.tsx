import { useEffect, useRef } from 'react'
import { CopyButton } from '../../parts/CopyButton.tsx'
import styles from './TextView.module.css'

interface TextViewProps {
  readonly title: string
  readonly text: string
  /** It grows: the end stays in sight. */
  readonly live?: boolean
}

/** A text as it is, which scrolls for itself. */
export function TextView({ title, text, live = false }: TextViewProps) {
  const frame = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (live && text !== '' && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight
  }, [live, text])
  return (
    <section className={styles['view']}>
      <h4>{title}</h4>
      <div className={styles['copy']}>
        <CopyButton text={text} what={title} />
      </div>
      <pre ref={frame} className={styles['text']} tabIndex={0} role="region" aria-label={title}>
        {text === '' ? '(empty)' : text}
      </pre>
    </section>
  )
}
