import { Textarea, TextInput } from '@mantine/core'
import { textWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** Texts that may be longer than this get more than a line. */
const oneLine = 500

export function TextField(props: FieldProps) {
  const { field } = props
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(field.isRequired), change)
  const isLong = field.shape.kind === 'text' && (field.shape.most ?? 0) > oneLine
  const about = { label, description, error, value: text, autoComplete: 'off' }
  if (isLong || text.includes('\n')) {
    return (
      <Textarea
        {...about}
        autosize
        minRows={2}
        maxRows={12}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
    )
  }
  return <TextInput {...about} onChange={({ currentTarget }) => type(currentTarget.value)} />
}
