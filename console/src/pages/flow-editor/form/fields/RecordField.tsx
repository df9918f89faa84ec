import { type ReactNode, useRef, useState } from 'react'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { beginningOf } from '../schema/beginning.ts'
import { titleWithin } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import type { RecordShape } from '../schema/shape.ts'
import { AddName } from './AddName.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import { RecordEntry } from './RecordEntry.tsx'
import { useField } from './use-field.tsx'
import { fillable, useFocusWish } from './use-focus-wish.ts'

interface RecordFieldProps extends FieldProps<RecordShape> {
  /** Names that are shown elsewhere. */
  readonly without?: ReadonlySet<string>
  /** Where they are shown. */
  readonly children?: ReactNode
}

const none: ReadonlySet<string> = new Set()

/** Values by name: names can be changed, added and removed. */
export function RecordField({ without = none, children, ...props }: RecordFieldProps) {
  const { field, path } = props
  const { value, change, label, description, error } = useField(props)
  const held = isObject(value) ? value : {}
  const names = Object.keys(held).filter((name) => !without.has(name))
  const root = useRef<HTMLFieldSetElement>(null)
  const wishFocus = useFocusWish(root)
  // After a removal those that follow begin anew, each with what belongs to it; a new name changes nothing else.
  const [generation, setGeneration] = useState(0)
  const put = (wanted: JsonObject) => change(Object.keys(wanted).length === 0 ? undefined : wanted)
  const entry = titleWithin(field.name.replace(/s$/, ''))

  return (
    <Fieldset ref={root} label={label} description={description} error={error}>
      {children}
      {names.map((name, index) => (
        <RecordEntry
          key={`${generation} ${pathText([index])}`}
          name={name}
          entry={entry}
          shape={field.shape.entry}
          path={[...path, name]}
          isTaken={(wanted) => wanted !== name && Object.hasOwn(held, wanted)}
          onRename={(wanted) => put(renamed(held, name, wanted))}
          onRemove={() => {
            wishFocus('[data-part="add"]')
            setGeneration(generation + 1)
            const { [name]: _, ...others } = held
            put(others)
          }}
        />
      ))}
      <AddName
        entry={entry}
        isTaken={(name) => Object.hasOwn(held, name)}
        onAdd={(name) => {
          wishFocus(`${placeOf([...path, name])} [data-part="value"] ${fillable}`)
          put({ ...held, [name]: beginningOf(field.shape.entry) })
        }}
      />
    </Fieldset>
  )
}

function placeOf(path: readonly (string | number)[]): string {
  return `[data-entry="${CSS.escape(pathText(path))}"]`
}

/** The same with another name for one of its values, in its place. */
function renamed(held: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(held).map(([name, value]): [string, Json] => [name === from ? to : name, value]),
  )
}
