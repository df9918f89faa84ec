import { Checkbox } from '@mantine/core'
import type { Json } from '../../document/json.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'

interface ChecksFieldProps extends FieldProps {
  readonly choices: readonly string[]
}

/** Any of a few words. */
export function ChecksField({ choices, ...props }: ChecksFieldProps) {
  const { value, change, label, description, error } = useField(props)
  const chosen = Array.isArray(value)
    ? (value as readonly Json[]).filter((it): it is string => typeof it === 'string')
    : []
  const all = [...choices, ...chosen.filter((it) => !choices.includes(it))]
  return (
    <Checkbox.Group
      label={label}
      description={description}
      error={error}
      size="sm"
      value={[...chosen]}
      onChange={(wanted) => change(wanted.length === 0 ? undefined : wanted)}
    >
      <div className={styles['checks']}>
        {all.map((choice) => (
          <Checkbox key={choice} size="xs" value={choice} label={choice} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
