import { NativeSelect } from '@mantine/core'
import { Fragment } from 'react'
import { isObject, type JsonPath } from '../../document/json.ts'
import { useForm, useValue } from '../form-subject.ts'
import { asForm, type ConditionForm, conditionForms, fieldsShown, formOf } from '../schema/condition-forms.ts'
import { withUnknown } from '../schema/form-fields.ts'
import type { Role } from '../schema/roles.ts'
import type { Field, GroupShape } from '../schema/shape.ts'
import styles from './fields.module.css'

const words: Readonly<Record<ConditionForm, string>> = {
  comparison: 'Comparison: one value',
  all: 'All of: every condition is true',
  any: 'Any of: one condition is true',
  not: 'Not: the condition is false',
  expression: 'Expression',
}

/** The roles of the fields of any condition, also inside of others. */
const roles: Readonly<Record<string, Role>> = { field: 'path', expression: 'expression' }

/** The outermost condition explains its fields; the choice of the type explains groups. */
function described(field: Field, path: JsonPath): Field {
  const isGroup = ['all', 'any', 'not'].includes(field.name)
  const isInner = path.some((part) => part === 'all' || part === 'any' || part === 'not')
  return isGroup || isInner ? { ...field, description: '' } : field
}

/** The fields of a condition in its form, and the choice of the form. */
export function ConditionFields({ shape, path }: { shape: GroupShape; path: JsonPath }) {
  const { FieldView, change } = useForm()
  const value = useValue(path)
  const held = isObject(value) ? value : {}
  const known = new Set(shape.fields.map(({ name }) => name))
  const fields = withUnknown(fieldsShown(shape, value), held, known)
  // Operator and value stand in one row, below the field they belong to.
  const isBeside = (name: string) =>
    (name === 'operator' || name === 'value') && fields.some((field) => field.name === 'field')
  return (
    <div className={styles['fields']}>
      <NativeSelect
        size="xs"
        label="Condition type"
        value={formOf(value)}
        data={conditionForms.map((form) => ({ value: form, label: words[form] }))}
        onChange={({ currentTarget }) => {
          const form = conditionForms.find((it) => it === currentTarget.value)
          if (form !== undefined) change(path, asForm(held, form), 'condition type')
        }}
      />
      {fields
        .filter(({ name }) => !isBeside(name))
        .map((field) => (
          <Fragment key={field.name}>
            <FieldView field={described(field, path)} path={[...path, field.name]} role={roles[field.name]} />
            {field.name === 'field' ? (
              <div className={styles['columns']}>
                {fields
                  .filter(({ name }) => isBeside(name))
                  .map((other) => (
                    <FieldView key={other.name} field={described(other, path)} path={[...path, other.name]} />
                  ))}
              </div>
            ) : null}
          </Fragment>
        ))}
    </div>
  )
}
