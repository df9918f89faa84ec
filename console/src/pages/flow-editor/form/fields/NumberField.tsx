import { TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { scalarWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A number, or whatever simple else the field takes. What is no number is kept as it is typed, and told about. */
export function NumberField(props: FieldProps) {
  const { shape, isRequired } = props.field
  const { value, change, label, description, error } = useField(props)
  const writing = useMemo(
    () =>
      scalarWriting(
        new Set(shape.kind === 'scalar' ? shape.of.map(({ kind }) => kind) : [shape.kind]),
        isRequired,
      ),
    [shape, isRequired],
  )
  const { text, type } = useTyped(value, writing, change)
  return (
    <TextInput
      label={label}
      description={description}
      error={error}
      value={text}
      autoComplete="off"
      inputMode={shape.kind === 'number' ? (shape.isWhole ? 'numeric' : 'decimal') : 'text'}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
