import styles from './Skeleton.module.css'

/**
 * A placeholder for a text that is loading. It stays invisible for the first 300 ms, so that a fast response does not
 * flicker.
 */
export function Skeleton({ width }: { width: number }) {
  return <span className={styles['skeleton']} style={{ width }} aria-hidden />
}
