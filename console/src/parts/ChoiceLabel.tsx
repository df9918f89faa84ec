import styles from './ChoiceLabel.module.css'

/** The label of a choice, with an explanation below it. */
export function ChoiceLabel({ title, about }: { title: string; about: string | undefined }) {
  return (
    <>
      {title}
      {about === undefined ? null : <span className={styles['about']}>{about}</span>}
    </>
  )
}
