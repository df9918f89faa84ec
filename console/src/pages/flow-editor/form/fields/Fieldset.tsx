import { type ReactNode, type Ref, useId } from 'react'
import styles from './fields.module.css'

interface FieldsetProps {
  readonly label: string
  readonly description: ReactNode
  readonly error: string | undefined
  readonly ref?: Ref<HTMLFieldSetElement>
  readonly children: ReactNode
}

/** A group of fields with a common description. */
export function Fieldset({ label, description, error, ref, children }: FieldsetProps) {
  const id = useId()
  const said = [error === undefined ? '' : `${id}-error`, description === undefined ? '' : `${id}-help`]
  const describedBy = said.filter((it) => it !== '').join(' ')
  return (
    <fieldset
      ref={ref}
      className={styles['group']}
      {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
    >
      <legend>{label}</legend>
      {description === undefined ? null : (
        <p id={`${id}-help`} className={styles['help']}>
          {description}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles['error']}>
          {error}
        </p>
      )}
      {children}
    </fieldset>
  )
}
