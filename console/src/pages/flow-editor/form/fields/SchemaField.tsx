import { ActionIcon, Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useRef, useState } from 'react'
import { useFocusRequest } from '../../../../parts/use-focus-request.ts'
import {
  formRowTypes,
  limitedBy,
  outputRowTypes,
  readRows,
  refuseOthers,
  refusesOthers,
  type SchemaRow,
  withType,
  writeRows,
} from '../schema/field-table.ts'
import { pathText } from '../schema/path-text.ts'
import { linesWriting, scalarWriting, textWriting } from '../schema/typed-text.ts'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { JsonField } from './JsonField.tsx'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

interface SchemaFieldProps extends FieldProps {
  /** A form is answered by a person, an output is made by a model. */
  readonly use: 'form' | 'output'
}

/** The description of the API is about the JSON schema. */
const descriptions = {
  form: 'What the person fills in. Default: one field `approved`, yes or no.',
  output: 'The fields of the answer. The model fills them, and the answer is checked. Default: a text.',
}

/** A JSON schema, as a table of fields or as code. */
export function SchemaField({ use, ...given }: SchemaFieldProps) {
  const props = { ...given, field: { ...given.field, description: descriptions[use] } }
  const { value, change, label, description, error } = useField(props)
  const rows = readRows(value)
  const [isCode, setCode] = useState(false)
  const showsCode = isCode || rows === undefined
  const root = useRef<HTMLFieldSetElement>(null)
  const requestFocus = useFocusRequest(root)
  const put = (wanted: readonly SchemaRow[]) => change(writeRows(value, wanted))
  return (
    <Fieldset ref={root} label={label} description={description} error={showsCode ? undefined : error}>
      <SegmentedControl
        size="xs"
        aria-label={`View of ${label.toLowerCase()}`}
        data={[
          { value: 'fields', label: 'Fields', disabled: rows === undefined },
          { value: 'code', label: 'JSON schema' },
        ]}
        value={showsCode ? 'code' : 'fields'}
        onChange={(wanted) => setCode(wanted === 'code')}
      />
      {rows === undefined ? (
        <p className={styles['help']}>This schema has more than fields can show.</p>
      ) : null}
      {showsCode ? (
        <JsonField {...props} field={{ ...props.field, description: '' }} title={`${label} as JSON schema`} />
      ) : (
        <>
          {rows.map((row, index) => (
            <Row
              // Rows have no identity besides their place; a changed name keeps the focus.
              key={pathText([index])}
              row={row}
              number={index + 1}
              use={use}
              isTaken={(name) => rows.some((it, at) => at !== index && it.name === name)}
              onChange={(changed) => put(rows.with(index, changed))}
              onRemove={() => {
                requestFocus('[data-part="add"]')
                put(rows.toSpliced(index, 1))
              }}
            />
          ))}
          <Button
            size="compact-sm"
            variant="default"
            data-part="add"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              requestFocus(`[data-row="${rows.length + 1}"] input`)
              put([...rows, newRow(rows)])
            }}
          >
            Add field
          </Button>
          {use === 'output' && rows.length > 0 ? (
            <Checkbox
              size="xs"
              label="Refuse other fields"
              checked={refusesOthers(value)}
              onChange={({ currentTarget }) => change(refuseOthers(value, currentTarget.checked))}
            />
          ) : null}
        </>
      )}
    </Fieldset>
  )
}

function newRow(rows: readonly SchemaRow[]): SchemaRow {
  let name = 'field'
  for (let count = 2; rows.some((row) => row.name === name); count += 1) name = `field_${count}`
  const empty = { title: '', description: '', limits: {}, options: [], rest: {} }
  return { name, type: 'text', isRequired: true, ...empty }
}

interface RowProps {
  readonly row: SchemaRow
  readonly number: number
  readonly use: SchemaFieldProps['use']
  readonly isTaken: (name: string) => boolean
  readonly onChange: (row: SchemaRow) => void
  readonly onRemove: () => void
}

/** One field of the schema. */
function Row({ row, number, use, isTaken, onChange, onRemove }: RowProps) {
  const types = use === 'form' ? formRowTypes : outputRowTypes
  const [typed, setTyped] = useState<string>()
  const name = typed?.trim() ?? row.name
  const problem = name === '' ? 'Enter a name.' : isTaken(name) ? `“${name}” already exists.` : undefined
  const commit = () => {
    if (problem !== undefined) return
    setTyped(undefined)
    if (name !== row.name) onChange({ ...row, name })
  }
  const shown = types.includes(row.type) ? types : [...types, row.type]
  return (
    <fieldset className={styles['entry']} aria-label={`Field ${number}`} data-row={number}>
      <div className={styles['columns']}>
        <TextInput
          size="xs"
          label="Name"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: styles['mono'] ?? '' }}
          value={typed ?? row.name}
          error={typed === undefined ? undefined : problem}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={commit}
          onKeyDown={(press) => {
            if (press.key === 'Enter') commit()
          }}
        />
        <NativeSelect
          size="xs"
          label="Type"
          value={row.type}
          data={[...shown]}
          onChange={({ currentTarget }) => {
            const type = shown.find((it) => it === currentTarget.value)
            if (type !== undefined) onChange(withType(row, type))
          }}
        />
      </div>
      {row.type === 'choice' || row.type === 'choices' ? (
        <Options options={row.options} onChange={(options) => onChange({ ...row, options })} />
      ) : null}
      {use === 'form' ? (
        <TextInput
          size="xs"
          label="Title"
          description="Default: the name."
          autoComplete="off"
          value={row.title}
          onChange={({ currentTarget }) => onChange({ ...row, title: currentTarget.value })}
        />
      ) : null}
      <TextInput
        size="xs"
        label="Description"
        autoComplete="off"
        value={row.description}
        onChange={({ currentTarget }) => onChange({ ...row, description: currentTarget.value })}
      />
      {use === 'output' ? <Limits row={row} onChange={onChange} /> : null}
      <div className={styles['head']}>
        <Checkbox
          size="xs"
          label="Required"
          checked={row.isRequired}
          onChange={({ currentTarget }) => onChange({ ...row, isRequired: currentTarget.checked })}
        />
        <span className={styles['gist']} />
        <ActionIcon
          size={24}
          aria-label={`Remove ${row.name}`}
          title={`Remove ${row.name}`}
          onClick={onRemove}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </div>
    </fieldset>
  )
}

/** The least and the most, which most fields leave out; folded until one of them is set. */
function Limits({ row, onChange }: Pick<RowProps, 'row' | 'onChange'>) {
  const { limits } = row
  const [isOpen, setIsOpen] = useState(limits.least !== undefined || limits.most !== undefined)
  const limited = limitedBy(row.type)
  if (limited === undefined) return null
  return (
    <details className={styles['folded']} open={isOpen}>
      <summary
        onClick={(click) => {
          // The browser reports its folding later.
          click.preventDefault()
          setIsOpen(!isOpen)
        }}
      >
        <span className={styles['gist']}>Limits</span>
      </summary>
      {isOpen ? (
        <div className={styles['inside']}>
          <div className={styles['columns']}>
            <Limit
              label={limited === 'value' ? 'Minimum' : 'Minimum length'}
              value={limits.least}
              onChange={(least) => onChange({ ...row, limits: { ...limits, least } })}
            />
            <Limit
              label={limited === 'value' ? 'Maximum' : 'Maximum length'}
              value={limits.most}
              onChange={(most) => onChange({ ...row, limits: { ...limits, most } })}
            />
          </div>
        </div>
      ) : null}
    </details>
  )
}

interface LimitProps {
  readonly label: string
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

const numberWriting = scalarWriting(new Set(['number']))

/** A number; text that is none is not taken over. */
function Limit({ label, value, onChange }: LimitProps) {
  const [typed, setTyped] = useState<string>()
  const meant = typed === undefined ? value : numberWriting.read(typed)
  const isWrong = typeof meant === 'string'
  return (
    <TextInput
      size="xs"
      label={label}
      autoComplete="off"
      inputMode="decimal"
      value={typed !== undefined && (isWrong || meant === value) ? typed : numberWriting.show(value)}
      error={isWrong ? 'Enter a number.' : undefined}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        const wanted = numberWriting.read(currentTarget.value)
        if (wanted === undefined || typeof wanted === 'number') onChange(wanted)
      }}
    />
  )
}

interface OptionsProps {
  readonly options: readonly string[]
  readonly onChange: (options: readonly string[]) => void
}

const commaWriting = linesWriting(textWriting(true))

/** The values of a choice, separated by commas. */
function Options({ options, onChange }: OptionsProps) {
  const { text, type } = useTyped(
    options,
    {
      show: (value) => commaWriting.show(value).replaceAll('\n', ', '),
      read: (typed) => commaWriting.read(typed.replaceAll(',', '\n')) ?? [],
    },
    (value) => onChange(Array.isArray(value) ? value.map(String) : []),
  )
  return (
    <TextInput
      size="xs"
      label="Values"
      description="Separated by commas."
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
