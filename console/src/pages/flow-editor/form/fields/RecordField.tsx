import { ActionIcon, Button, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useRef, useState } from 'react'
import { fillable, useFocusRequest } from '../../../../parts/use-focus-request.ts'
import { isObject, type Json, type JsonObject, type JsonPath } from '../../document/json.ts'
import { useForm, useValue } from '../form-subject.ts'
import { beginningOf } from '../schema/beginning.ts'
import { titleWithin } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import type { RecordShape, Shape } from '../schema/shape.ts'
import { Entry } from './Entry.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'

interface RecordFieldProps extends FieldProps<RecordShape> {
  /** The names that `children` shows. */
  readonly without?: ReadonlySet<string>
  /** The fields of the names in `without`. */
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
  const requestFocus = useFocusRequest(root)
  // A removal remounts the following entries, so that local state does not stay with the wrong entry; a rename does
  // not.
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
            requestFocus('[data-part="add"]')
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
          requestFocus(`${placeOf([...path, name])} [data-part="value"] ${fillable}`)
          put({ ...held, [name]: beginningOf(field.shape.entry) })
        }}
      />
    </Fieldset>
  )
}

function placeOf(path: readonly (string | number)[]): string {
  return `[data-entry="${CSS.escape(pathText(path))}"]`
}

/** The record with one key renamed in place. */
function renamed(held: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(held).map(([name, value]): [string, Json] => [name === from ? to : name, value]),
  )
}

interface AddNameProps {
  /** The name of an entry, such as header. */
  readonly entry: string
  readonly isTaken: (name: string) => boolean
  readonly onAdd: (name: string) => void
}

/** Adds an entry by name. */
function AddName({ entry, isTaken, onAdd }: AddNameProps) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isFree = !isTaken(name)
  const add = () => {
    if (name === '' || !isFree) return
    setTyped('')
    onAdd(name)
  }
  return (
    <div className={styles['add']}>
      <TextInput
        aria-label={`Name of a new ${entry}`}
        placeholder={`Name of a new ${entry}`}
        data-part="add"
        size="xs"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={isFree ? undefined : `“${name}” already exists.`}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(press) => {
          if (press.key === 'Enter') add()
        }}
      />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-disabled={name === '' || !isFree}
        onClick={add}
      >
        Add {entry}
      </Button>
    </div>
  )
}

interface RecordEntryProps {
  readonly name: string
  /** The name of such an entry, such as header. */
  readonly entry: string
  readonly shape: Shape
  readonly path: JsonPath
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}

/** One value with its name. */
function RecordEntry({ name, entry, shape, path, isTaken, onRename, onRemove }: RecordEntryProps) {
  const { FieldView } = useForm()
  const value = useValue(path)
  const label = `Name of ${entry} ${name}`
  const nameField = <NameField label={label} name={name} isTaken={isTaken} onRename={onRename} />
  if (shape.kind === 'group') {
    const reason = isObject(value) ? value['reason'] : undefined
    return (
      <div data-entry={pathText(path)} className={styles['named']}>
        <Entry
          shape={shape}
          path={path}
          title={name}
          gist={typeof reason === 'string' ? reason : ''}
          before={nameField}
          onRemove={onRemove}
        />
      </div>
    )
  }
  return (
    <div data-entry={pathText(path)} className={styles['pair']}>
      {nameField}
      <div data-part="value">
        <FieldView
          field={{ name, description: '', isRequired: true, shape }}
          path={path}
          title={`Value of ${name}`}
          isBare
        />
      </div>
      <ActionIcon size={24} aria-label={`Remove ${name}`} title={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}

interface NameFieldProps {
  readonly label: string
  readonly name: string
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
}

/** The name of an entry. Applied on Enter and on blur; a taken name stays in the field to be corrected. */
function NameField({ label, name, isTaken, onRename }: NameFieldProps) {
  const [typed, setTyped] = useState<string>()
  const wanted = typed?.trim() ?? name
  const problem =
    wanted === '' ? 'Enter a name.' : isTaken(wanted) ? `“${wanted}” already exists.` : undefined
  const commit = () => {
    if (problem !== undefined) return
    setTyped(undefined)
    if (wanted !== name) onRename(wanted)
  }
  return (
    <TextInput
      aria-label={label}
      data-part="name"
      size="xs"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: styles['mono'] ?? '' }}
      value={typed ?? name}
      error={typed === undefined ? undefined : problem}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={(press) => {
        if (press.key === 'Enter') commit()
      }}
    />
  )
}
