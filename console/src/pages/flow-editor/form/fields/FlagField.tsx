import { NativeSelect } from '@mantine/core'
import { usualFlag } from '../schema/field-words.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'

/** Yes, no, or what is usual. */
export function FlagField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const usual = usualFlag(props.field)
  return (
    <NativeSelect
      label={label}
      description={description}
      error={error}
      value={typeof value === 'boolean' ? String(value) : ''}
      data={[
        { value: '', label: usual === undefined ? 'As usual' : `As usual: ${usual ? 'yes' : 'no'}` },
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]}
      onChange={({ currentTarget }) =>
        change(currentTarget.value === '' ? undefined : currentTarget.value === 'true')
      }
    />
  )
}
