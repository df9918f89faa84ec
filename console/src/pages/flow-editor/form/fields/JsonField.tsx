import { Textarea } from '@mantine/core'
import { describeKind, jsonWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A field for any JSON. Text that is not JSON is kept as a string. */
export function JsonField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, jsonWriting, change)
  return (
    <Textarea
      label={label}
      description={
        <>
          {description} {value === undefined ? 'JSON, or plain text.' : `Parsed as ${describeKind(value)}.`}
        </>
      }
      error={error}
      value={text}
      autosize
      minRows={1}
      maxRows={16}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: styles['mono'] ?? '' }}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
