import styles from './Copyable.module.css'
import { CopyButton } from './CopyButton.tsx'

/** A text for machines with the button that copies it, which never stands alone on a line. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className={styles['copyable']}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
