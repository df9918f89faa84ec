import { isObject, type Json } from '../../document/json.ts'
import { titleOf, titleWithin } from '../schema/field-words.ts'
import type { GroupShape } from '../schema/shape.ts'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { GroupFields } from './GroupFields.tsx'
import { useField } from './use-field.tsx'
import { useOpen } from './use-open.ts'

/** Fields that belong together. Optional groups stay folded until they have a value or are opened. */
export function GroupField(props: FieldProps<GroupShape>) {
  const { field, path } = props
  const { value, label, description, error, place } = useField(props)
  const [isOpen, setIsOpen] = useOpen(place, isObject(value) && Object.keys(value).length > 0)
  if (field.isRequired) {
    return (
      <Fieldset label={label} description={description} error={error}>
        <GroupFields shape={field.shape} path={path} />
      </Fieldset>
    )
  }
  return (
    <details className={styles['folded']} open={isOpen}>
      <summary
        onClick={(click) => {
          // The browser reports its own folding a moment later, when the focus may already be inside.
          click.preventDefault()
          setIsOpen(!isOpen)
        }}
      >
        <span className={styles['title']}>{label}</span>
        <span className={styles['gist']}>{isOpen ? '' : gistOf(field.shape, value)}</span>
      </summary>
      {isOpen ? (
        <div className={styles['inside']}>
          {description === undefined ? null : <p className={styles['help']}>{description}</p>}
          {error === undefined ? null : <p className={styles['error']}>{error}</p>}
          <GroupFields shape={field.shape} path={path} />
        </div>
      ) : null}
    </details>
  )
}

/** The summary of a folded group: its values, or its field names. */
function gistOf({ fields }: GroupShape, value: Json | undefined): string {
  const said = Object.entries(isObject(value) ? value : {}).map(([name, held]) =>
    typeof held === 'object' ? titleOf(name) : `${titleWithin(name)} ${held}`,
  )
  return said.length > 0
    ? said.join(', ')
    : fields.map(({ name }, index) => (index === 0 ? titleOf(name) : titleWithin(name))).join(', ')
}
