import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { isObject, type Json, type JsonPath } from '../../document/json.ts'
import { describeComparison } from '../../document/references.ts'
import { useForm, useValue } from '../form-subject.ts'
import { beginningOfVariant } from '../schema/beginning.ts'
import { isCondition } from '../schema/condition-forms.ts'
import { variantTitles } from '../schema/field-words.ts'
import { withUnknown } from '../schema/form-fields.ts'
import type { GroupOrTextShape, GroupShape } from '../schema/shape.ts'
import { fieldsThatApply } from '../schema/step-layout.ts'
import { readComparison, textWriting } from '../schema/typed-text.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** All fields of an object, including its unknown ones. */
export function GroupFields({ shape, path }: { shape: GroupShape; path: JsonPath }) {
  const { FieldView } = useForm()
  const value = useValue(path)
  const held = typeof value === 'object' && value !== null ? value : {}
  if (isCondition(shape)) return <ConditionFields shape={shape} path={path} />
  if (shape.variants !== undefined) return <VariantFields variants={shape.variants} path={path} />
  return (
    <div className={styles['fields']}>
      {withUnknown(fieldsThatApply(shape.fields, value), held, new Set()).map((field) => (
        // Keyed by its own name: tabbing on from the group's name must not remount the focused field.
        <FieldView key={field.name} field={field} path={[...path, field.name]} />
      ))}
    </div>
  )
}

interface VariantFieldsProps {
  readonly variants: NonNullable<GroupShape['variants']>
  readonly path: JsonPath
}

/** An object that tells its type: the choice of the type, and the fields of that type. */
function VariantFields({ variants, path }: VariantFieldsProps) {
  const { FieldView, change } = useForm()
  const value = useValue(path)
  const held = isObject(value) ? value : {}
  const type = typeof held['type'] === 'string' ? held['type'] : ''
  const own = variants[type] ?? []
  const types = Object.keys(variants)

  /** Fields that both types have stay. */
  function become(wanted: string): void {
    const shared = (variants[wanted] ?? []).filter(({ name, shape }) =>
      own.some((field) => field.name === name && field.shape.kind === shape.kind),
    )
    const kept = shared.flatMap(({ name }) => (held[name] === undefined ? [] : [[name, held[name]]]))
    change(path, { ...beginningOfVariant(variants, wanted), ...Object.fromEntries(kept) }, 'type')
  }

  return (
    <div className={styles['fields']}>
      <NativeSelect
        label="Type"
        value={type}
        data={(types.includes(type) ? types : [type, ...types]).map((one) => ({
          value: one,
          label: variantTitles[one] ?? (one === '' ? 'Select' : one),
        }))}
        onChange={({ currentTarget }) => become(currentTarget.value)}
      />
      {withUnknown(own, held, new Set(['type'])).map((field) => (
        <FieldView key={`${type} ${field.name}`} field={field} path={[...path, field.name]} />
      ))}
    </div>
  )
}

/** A comparison, as fields or as text. */
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

/** An empty text stays empty; an unparsable one is kept as far as possible. */
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
