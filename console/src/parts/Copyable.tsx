import styles from './Copyable.module.css'
import { CopyButton } from './CopyButton.tsx'

/** A machine-readable text with its copy button, which never wraps onto a line alone. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className={styles['copyable']}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
