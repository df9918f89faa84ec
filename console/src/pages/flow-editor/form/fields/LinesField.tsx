import { Textarea } from '@mantine/core'
import { useMemo } from 'react'
import type { ListShape } from '../schema/shape.ts'
import { linesWriting, scalarWriting, textWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A list of simple things, one on each line. */
export function LinesField(props: FieldProps<ListShape>) {
  const { entry } = props.field.shape
  const { value, change, label, description, error } = useField(props)
  const writing = useMemo(
    () => linesWriting(entry.kind === 'text' ? textWriting(true) : scalarWriting(new Set([entry.kind]))),
    [entry.kind],
  )
  const { text, type } = useTyped(value, writing, change)
  return (
    <Textarea
      label={label}
      description={<>{description} One on each line.</>}
      error={error}
      value={text}
      autosize
      minRows={2}
      maxRows={12}
      autoComplete="off"
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
