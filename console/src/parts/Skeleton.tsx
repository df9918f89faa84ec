import styles from './Skeleton.module.css'

/** Holds the place of a text that is on its way. Nothing shows for the first 300 ms, so a fast answer never flickers. */
export function Skeleton({ width }: { width: number }) {
  return <span className={styles['skeleton']} style={{ width }} aria-hidden />
}
