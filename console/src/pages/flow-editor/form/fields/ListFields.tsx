import { ActionIcon, Button, Select } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useRef, useState } from 'react'
import { CompletingInput, type Completion } from '../../../../parts/CompletingInput.tsx'
import { describeProblem } from '../../../../parts/describe-problem.ts'
import { fillable, useFocusRequest } from '../../../../parts/use-focus-request.ts'
import { isObject, type Json } from '../../document/json.ts'
import { describeComparison } from '../../document/references.ts'
import { useEditing } from '../../use-flow-editor.ts'
import { useForm } from '../form-subject.ts'
import { beginningOf } from '../schema/beginning.ts'
import { isCondition } from '../schema/condition-forms.ts'
import { entryTitleOf } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import type { ListShape, Shape } from '../schema/shape.ts'
import { Entry } from './Entry.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { describeStep } from './StepField.tsx'
import { useField } from './use-field.tsx'
import { usePathCompletions } from './use-path-completions.ts'

/** Longer lists are folded: hundreds of fields are slow to render and hard to read. */
const maxOpen = 8

/** A list of objects that can be moved, removed and added. */
export function EntriesField(props: FieldProps<ListShape>) {
  const { field, path } = props
  const { value, change, label, description, error } = useField(props)
  const entries = Array.isArray(value) ? (value as readonly Json[]) : []
  const root = useRef<HTMLFieldSetElement>(null)
  const requestFocus = useFocusRequest(root)
  // A new generation remounts moved entries, so that local state does not stay with the wrong entry.
  const [generation, setGeneration] = useState(0)
  const [added, setAdded] = useState<number>()
  const foldOf = (index: number) => (index === added ? 'open' : 'folded')
  const title = entryTitleOf(field.name)
  // A list inside of a list counts within the outer entry: Condition 1.2.
  const indexes = path.flatMap((part) => (typeof part === 'number' ? [part + 1] : []))
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
          title={`${title} ${[...indexes, index + 1].join('.')}`}
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
          // The first field; above it, a condition has the choice of its type.
          requestFocus(`${placeOf(entries.length)} [data-path] ${fillable}`)
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
  if (isCondition(shape) && isObject(entry)) return describeComparison(entry)
  const fields = shape.kind === 'group' ? shape.fields : []
  const said = isObject(entry) ? fields.map(({ name }) => entry[name] ?? '') : [entry]
  return said.flatMap((it) => (typeof it === 'object' || it === '' ? [] : [String(it)])).join(' ')
}

/** A list of paths with completions. */
export function PathsField(props: FieldProps) {
  return <CompletingList {...props} completions={usePathCompletions([...props.path, 0])} />
}

interface CompletingListProps extends FieldProps {
  readonly completions: readonly Completion[]
}

/** A list of texts with completions. */
export function CompletingList({ completions, ...props }: CompletingListProps) {
  const { field, path } = props
  const { value, change, label, description, error, problems } = useField(props)
  const root = useRef<HTMLFieldSetElement>(null)
  const requestFocus = useFocusRequest(root)
  const paths = Array.isArray(value) ? (value as readonly Json[]).map(String) : []
  const put = (wanted: readonly string[]) => change(wanted.length === 0 ? undefined : wanted)
  const title = entryTitleOf(field.name)
  const isOwn = problems.some((it) => it.path === pathText(path))

  return (
    <Fieldset ref={root} label={label} description={description} error={isOwn ? error : undefined}>
      {paths.map((text, index) => {
        const place = pathText([...path, index])
        const problem = problems.find((it) => it.path === place && it.severity === 'error')
        const name = `${title} ${index + 1}`
        return (
          <div key={place} data-path={place} className={styles['row']}>
            <CompletingInput
              name={name}
              value={text}
              error={problem && describeProblem(problem)}
              completions={completions}
              onChange={(wanted) => put(paths.toSpliced(index, 1, wanted))}
            />
            <ActionIcon
              size={24}
              aria-label={`Remove ${name}`}
              title={`Remove ${name}`}
              onClick={() => {
                requestFocus('[data-part="add"]')
                put(paths.toSpliced(index, 1))
              }}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </div>
        )
      })}
      <Button
        size="compact-sm"
        variant="default"
        data-part="add"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          requestFocus(`[data-path="${CSS.escape(pathText([...path, paths.length]))}"] input`)
          put([...paths, ''])
        }}
      >
        Add {title.toLowerCase()}
      </Button>
    </Fieldset>
  )
}

/** A field for any number of other steps. */
export function StepsField(props: FieldProps) {
  const { step } = useForm()
  const { announce } = useEditing()
  const { value, change, label, description, error } = useField(props)
  const [search, setSearch] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const requestFocus = useFocusRequest(root)
  const chosen = Array.isArray(value) ? (value as readonly Json[]).map(String) : []
  const others = step?.others ?? []
  const nameFor = (id: string) => {
    const other = others.find((it) => it.id === id)
    return other === undefined ? `${id} (no such step)` : describeStep(other)
  }
  return (
    <div ref={root} className={styles['chosen']}>
      <Select
        label={label}
        description={description}
        error={error}
        searchable
        placeholder="Add a step"
        value={null}
        searchValue={search}
        onSearchChange={setSearch}
        data={others
          .filter(({ id }) => !chosen.includes(id))
          .map((other) => ({ value: other.id, label: describeStep(other) }))}
        onChange={(id) => {
          setSearch('')
          if (id === null) return
          change([...chosen, id])
          announce(`${nameFor(id)} added to ${label.toLowerCase()}.`)
        }}
        nothingFoundMessage="No steps match."
        // Options of a closed list are not rendered: a flow may have hundreds of steps.
        comboboxProps={{ withinPortal: false, shadow: 'none', keepMounted: false }}
        withScrollArea={false}
        classNames={{ options: styles['options'] ?? '' }}
      />
      {chosen.length === 0 ? null : (
        <ul aria-label={label}>
          {chosen.map((id, index) => (
            <ChosenRow
              // A draft may name a step twice.
              key={`${id} ${pathText([index])}`}
              name={nameFor(id)}
              onRemove={() => {
                requestFocus('input')
                const left = chosen.toSpliced(index, 1)
                change(left.length === 0 ? undefined : left)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** A chosen value with its remove button. */
function ChosenRow({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <li>
      <span>{name}</span>
      <ActionIcon size={24} aria-label={`Remove ${name}`} title={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
