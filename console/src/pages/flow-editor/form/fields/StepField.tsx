import { NativeSelect } from '@mantine/core'
import { nameOf } from '../../document/flow-document.ts'
import { useForm } from '../form-subject.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'

/** A field for one of the other steps. */
export function StepField(props: FieldProps) {
  const { step } = useForm()
  const { value, change, label, description, error } = useField(props)
  const chosen = typeof value === 'string' ? value : ''
  const others = step?.others ?? []
  const isGone = chosen !== '' && !others.some(({ id }) => id === chosen)
  return (
    <NativeSelect
      label={label}
      description={description}
      error={error}
      value={chosen}
      data={[
        { value: '', label: 'None' },
        ...others.map((other) => ({ value: other.id, label: describeStep(other) })),
        ...(isGone ? [{ value: chosen, label: `${chosen} (no such step)` }] : []),
      ]}
      onChange={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  )
}

/** The name of a step with its ID. */
export function describeStep(step: Parameters<typeof nameOf>[0]): string {
  const name = nameOf(step)
  return name === step.id ? name : `${name} (${step.id})`
}
