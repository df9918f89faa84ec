import { NativeSelect } from '@mantine/core'
import type { ChoiceShape } from '../schema/shape.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'

/** One of a few words. */
export function ChoiceField(props: FieldProps<ChoiceShape>) {
  const { shape, isRequired } = props.field
  const { value, change, label, description, error } = useField(props)
  const chosen = typeof value === 'string' ? value : ''
  // What is not offered is shown all the same, for the platform to judge.
  const all = chosen === '' || shape.choices.includes(chosen) ? shape.choices : [...shape.choices, chosen]
  return (
    <NativeSelect
      label={label}
      description={description}
      error={error}
      value={chosen}
      data={[
        ...(isRequired && chosen !== ''
          ? []
          : [{ value: '', label: isRequired ? 'Choose one' : 'As usual' }]),
        ...all.map((choice) => ({ value: choice, label: choice })),
      ]}
      onChange={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  )
}
