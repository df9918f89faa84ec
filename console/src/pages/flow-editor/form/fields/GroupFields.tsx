import type { JsonPath } from '../../document/json.ts'
import { useForm, useValue } from '../form-subject.ts'
import { withUnknown } from '../schema/form-fields.ts'
import type { GroupShape } from '../schema/shape.ts'
import styles from './fields.module.css'

/** All fields of an object, with whatever else it has. */
export function GroupFields({ shape, path }: { shape: GroupShape; path: JsonPath }) {
  const { FieldView } = useForm()
  const value = useValue(path)
  const held = typeof value === 'object' && value !== null ? value : {}
  return (
    <div className={styles['fields']}>
      {withUnknown(shape.fields, held, new Set()).map((field) => (
        // Keyed by its own name: tabbing on from the group's name must not remount the focused field.
        <FieldView key={field.name} field={field} path={[...path, field.name]} />
      ))}
    </div>
  )
}
