import { SegmentedControl, TextInput } from '@mantine/core'
import { isObject, type Json } from '../../document/json.ts'
import { describeComparison } from '../../document/references.ts'
import type { GroupOrTextShape } from '../schema/shape.ts'
import { readComparison, textWriting } from '../schema/typed-text.ts'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { GroupFields } from './GroupFields.tsx'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A comparison in fields or written out, as its author likes it better. */
export function GroupOrTextField(props: FieldProps<GroupOrTextShape>) {
  const { field, path } = props
  const { value, change, label, description, error } = useField(props)
  const isText = typeof value === 'string'
  return (
    <Fieldset label={label} description={description} error={isText ? undefined : error}>
      <SegmentedControl
        size="xs"
        aria-label={`Format of ${label.toLowerCase()}`}
        data={[
          { value: 'fields', label: 'Fields' },
          { value: 'text', label: 'Text' },
        ]}
        value={isText ? 'text' : 'fields'}
        onChange={(wanted) => change(wanted === 'text' ? asText(value) : asFields(value))}
      />
      {isText ? (
        <TextOf label={label} value={value} error={error} change={change} />
      ) : (
        <GroupFields shape={field.shape.group} path={path} />
      )}
    </Fieldset>
  )
}

function asText(value: Json | undefined): string {
  return isObject(value) ? describeComparison(value) : ''
}

/** Nothing stays nothing; what cannot be read stays as far as it can. */
function asFields(value: Json | undefined): Json | undefined {
  return typeof value === 'string' && value.trim() !== '' ? readComparison(value) : undefined
}

interface TextOfProps {
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly change: (value: Json | undefined) => void
}

function TextOf({ label, value, error, change }: TextOfProps) {
  const { text, type } = useTyped(value, textWriting(true), change)
  return (
    <TextInput
      aria-label={`${label} as text`}
      placeholder="analysis.score < 70"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: styles['mono'] ?? '' }}
      value={text}
      error={error}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
