import { textWriting } from '../schema/typed-text.ts'
import { CompletingInput } from './CompletingInput.tsx'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { usePathCompletions } from './use-path-completions.ts'
import { useTyped } from './use-typed.ts'

/** A path into the memory and the context. */
export function PathField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      value={text}
      completions={usePathCompletions(props.path)}
      onChange={type}
    />
  )
}
