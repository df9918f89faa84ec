import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useRef, useState } from 'react'
import { isObject, type Json } from '../../document/json.ts'
import { beginningOf } from '../schema/beginning.ts'
import { entryTitleOf } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import type { ListShape, Shape } from '../schema/shape.ts'
import { Entry } from './Entry.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { fillable, useFocusRequest } from './use-focus-request.ts'

/** More entries than these are folded: hundreds of fields would be slow to write in, and to read. */
const maxOpen = 8

/** A list of objects: each can be moved and removed, and one more can be added. */
export function EntriesField(props: FieldProps<ListShape>) {
  const { field, path } = props
  const { value, change, label, description, error } = useField(props)
  const entries = Array.isArray(value) ? (value as readonly Json[]) : []
  const root = useRef<HTMLFieldSetElement>(null)
  const requestFocus = useFocusRequest(root)
  // Entries that changed places begin anew, each with what belongs to it.
  const [generation, setGeneration] = useState(0)
  const [added, setAdded] = useState<number>()
  const foldOf = (index: number) => (index === added ? 'open' : 'folded')
  const title = entryTitleOf(field.name)
  const placeOf = (index: number) => `[data-path="${CSS.escape(pathText([...path, index]))}"]`

  const rearrange = (wanted: readonly Json[], focus: string) => {
    requestFocus(focus)
    setGeneration(generation + 1)
    change(wanted.length === 0 && !field.isRequired ? undefined : wanted)
  }
  const move = (from: number, to: number, part: string) => {
    const entry = entries[from]
    if (entry === undefined) return
    rearrange(entries.toSpliced(from, 1).toSpliced(to, 0, entry), `${placeOf(to)} [data-part="${part}"]`)
  }

  return (
    <Fieldset ref={root} label={label} description={description} error={error}>
      {entries.map((entry, index) => (
        <Entry
          key={`${generation} ${pathText([index])}`}
          shape={field.shape.entry}
          path={[...path, index]}
          title={`${title} ${index + 1}`}
          gist={gistOf(field.shape.entry, entry)}
          fold={entries.length > maxOpen ? foldOf(index) : undefined}
          moves={{
            onUp: index === 0 ? undefined : () => move(index, index - 1, 'up'),
            onDown: index === entries.length - 1 ? undefined : () => move(index, index + 1, 'down'),
          }}
          onRemove={() => rearrange(entries.toSpliced(index, 1), '[data-part="add"]')}
        />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        data-part="add"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          requestFocus(`${placeOf(entries.length)} ${fillable}`)
          setAdded(entries.length)
          change([...entries, beginningOf(field.shape.entry)])
        }}
      >
        Add {title.toLowerCase()}
      </Button>
    </Fieldset>
  )
}

/** The summary of an entry, in the order of its fields: `analysis.score >= 70`. */
function gistOf(shape: Shape, entry: Json): string {
  const fields = shape.kind === 'group' ? shape.fields : []
  const said = isObject(entry) ? fields.map(({ name }) => entry[name] ?? '') : [entry]
  return said.flatMap((it) => (typeof it === 'object' || it === '' ? [] : [String(it)])).join(' ')
}
