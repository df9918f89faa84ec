import styles from './ChoiceLabel.module.css'

/** A choice of a form and, below it, what it means. */
export function ChoiceLabel({ title, about }: { title: string; about: string | undefined }) {
  return (
    <>
      {title}
      {about === undefined ? null : <span className={styles['about']}>{about}</span>}
    </>
  )
}
