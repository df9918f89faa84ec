import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../../api/api-context.ts'
import { CompletingInput } from '../../../../parts/CompletingInput.tsx'
import { agentsQuery } from '../../../agents/agent-queries.ts'
import { routesQuery } from '../../../model-routes/route-queries.ts'
import { describeRoute } from '../../../model-routes/route-words.ts'
import { anyModel, findWriters } from '../../../playground/catalogue.ts'
import { completionsOf } from '../../../playground/model-completions.ts'
import { modelsQuery } from '../../../playground/models-query.ts'
import { isObject, type Json } from '../../document/json.ts'
import { useForm, useValue } from '../form-subject.ts'
import { canShow } from '../schema/can-show.ts'
import { titleOf, titleWithin, usualFlag } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import { roleAt } from '../schema/roles.ts'
import type { ChoiceShape, GroupShape, ListShape } from '../schema/shape.ts'
import { linesWriting, scalarWriting, textWriting } from '../schema/typed-text.ts'
import { AgentParameters } from './AgentParameters.tsx'
import { AccountsField, FlowField, RolesField } from './CatalogueFields.tsx'
import { ConnectionField } from './ConnectionField.tsx'
import { DurationField } from './DurationField.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { GroupFields, GroupOrTextField } from './GroupFields.tsx'
import { JsonField } from './JsonField.tsx'
import { EntriesField, PathsField, StepsField } from './ListFields.tsx'
import { RecordField } from './RecordField.tsx'
import { SchemaField } from './SchemaField.tsx'
import { StepField } from './StepField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { useField } from './use-field.tsx'
import { useOpen } from './use-open.ts'
import { usePathCompletions } from './use-path-completions.ts'
import { useTyped } from './use-typed.ts'

/** A field of any kind, with its nested fields. */
export function FormField(props: FieldProps) {
  return (
    <div data-path={pathText(props.path)}>
      <FieldOfRole {...props} />
    </div>
  )
}

/** Some fields have a role beyond their type. */
function FieldOfRole(props: FieldProps) {
  const { step } = useForm()
  const value = useValue(props.path)
  const { isBare } = props
  const { shape } = props.field
  // A group has fields with roles of their own.
  const role = step === null || shape.kind === 'group' ? undefined : (props.role ?? roleAt(props.path))
  if (!canShow(shape, value)) return <JsonField {...props} />
  if (shape.kind === 'list' && roleAt([...props.path, 0]) !== undefined) return <PathsField {...props} />
  if (role === 'step') return <StepField {...props} />
  if (role === 'steps') return <StepsField {...props} />
  if (role === 'model') return <ModelField {...props} />
  if (role === 'agent') return <AgentField {...props} />
  if (role === 'connection') return <ConnectionField {...props} />
  if (role === 'flow') return <FlowField {...props} />
  if (role === 'accounts') return <AccountsField {...props} />
  if (role === 'roles') return <RolesField {...props} />
  if (role === 'duration') return <DurationField {...props} />
  if (role === 'expression') return <ExpressionField {...props} />
  if (role === 'form') return <SchemaField {...props} use="form" />
  if (role === 'output schema') return <SchemaField {...props} use="output" />
  if (role === 'path') return <PathField {...props} />
  // The input of an agent is a text, that of a sub-flow a record of values.
  if (role === 'template' && shape.kind !== 'record') return <TemplateField {...props} isLine={false} />
  if (role === 'template json') return <TemplateField {...props} isLine={false} />
  if (role === 'line') return <TemplateField {...props} isLine isBare={isBare} />
  if (role === 'parameters' && shape.kind === 'record') {
    return <AgentParameters {...props} field={{ ...props.field, shape }} />
  }
  return <FieldOfShape {...props} />
}

function FieldOfShape(props: FieldProps) {
  const { field } = props
  const { shape } = field
  switch (shape.kind) {
    case 'text':
      return <TextField {...props} />
    case 'number':
    case 'scalar':
      return <NumberField {...props} />
    case 'choice':
      return <ChoiceField {...props} field={{ ...field, shape }} />
    case 'flag':
      return <FlagField {...props} />
    case 'group':
      return <GroupField {...props} field={{ ...field, shape }} />
    case 'record':
      return <RecordField {...props} field={{ ...field, shape }} />
    case 'group or text':
      return <GroupOrTextField {...props} field={{ ...field, shape }} />
    case 'json':
      return <JsonField {...props} />
    default:
      if (shape.entry.kind === 'group') return <EntriesField {...props} field={{ ...field, shape }} />
      if (shape.entry.kind === 'choice') return <ChecksField {...props} choices={shape.entry.choices} />
      return <LinesField {...props} field={{ ...field, shape }} />
  }
}

/** A field for a path into the memory and the context. */
function PathField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      value={text}
      completions={usePathCompletions(props.path)}
      onChange={type}
    />
  )
}

/** A field for an agent of the catalogue. */
function AgentField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  const { data } = useQuery(agentsQuery(useApi(), {}))
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      value={text}
      completions={(data?.agents ?? []).map(({ id, label: name }) => ({ value: id, about: name }))}
      onChange={type}
    />
  )
}

/** A field for yes, no, or the default. */
function FlagField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const usual = usualFlag(props.field)
  return (
    <NativeSelect
      label={label}
      description={description}
      error={error}
      value={typeof value === 'boolean' ? String(value) : ''}
      data={[
        { value: '', label: usual === undefined ? 'Default' : `Default: ${usual ? 'yes' : 'no'}` },
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]}
      onChange={({ currentTarget }) =>
        change(currentTarget.value === '' ? undefined : currentTarget.value === 'true')
      }
    />
  )
}

/** A field for one of a few values. */
function ChoiceField(props: FieldProps<ChoiceShape>) {
  const { shape, isRequired } = props.field
  const { value, change, label, description, error } = useField(props)
  const chosen = typeof value === 'string' ? value : ''
  // A value that is not among the choices is shown nevertheless; the server validates it.
  const all = chosen === '' || shape.choices.includes(chosen) ? shape.choices : [...shape.choices, chosen]
  return (
    <NativeSelect
      label={label}
      description={description}
      error={error}
      value={chosen}
      data={[
        ...(isRequired && chosen !== '' ? [] : [{ value: '', label: isRequired ? 'Select' : 'Default' }]),
        ...all.map((choice) => ({ value: choice, label: choice })),
      ]}
      onChange={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  )
}

/** Texts that may be longer than this get several lines. */
const oneLine = 500

function TextField(props: FieldProps) {
  const { field } = props
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(field.isRequired), change)
  const isLong = field.shape.kind === 'text' && (field.shape.most ?? 0) > oneLine
  const about = { label, description, error, value: text, autoComplete: 'off' }
  if (isLong || text.includes('\n')) {
    return (
      <Textarea
        {...about}
        autosize
        minRows={2}
        maxRows={12}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
    )
  }
  return <TextInput {...about} onChange={({ currentTarget }) => type(currentTarget.value)} />
}

/** A list of scalars, one per line. */
function LinesField(props: FieldProps<ListShape>) {
  const { entry } = props.field.shape
  const { value, change, label, description, error } = useField(props)
  const writing = useMemo(
    () => linesWriting(entry.kind === 'text' ? textWriting(true) : scalarWriting(new Set([entry.kind]))),
    [entry.kind],
  )
  const { text, type } = useTyped(value, writing, change)
  return (
    <Textarea
      label={label}
      description={<>{description} One per line.</>}
      error={error}
      value={text}
      autosize
      minRows={2}
      maxRows={12}
      autoComplete="off"
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

/**
 * A field for a number, or another scalar the schema allows. Text that is not a number is kept as typed, and the server
 * reports it.
 */
function NumberField(props: FieldProps) {
  const { shape, isRequired } = props.field
  const { value, change, label, description, error } = useField(props)
  const writing = useMemo(
    () =>
      scalarWriting(
        new Set(shape.kind === 'scalar' ? shape.of.map(({ kind }) => kind) : [shape.kind]),
        isRequired,
      ),
    [shape, isRequired],
  )
  const { text, type } = useTyped(value, writing, change)
  return (
    <TextInput
      label={label}
      description={description}
      error={error}
      value={text}
      autoComplete="off"
      inputMode={shape.kind === 'number' ? (shape.isWhole ? 'numeric' : 'decimal') : 'text'}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

interface ChecksFieldProps extends FieldProps {
  readonly choices: readonly string[]
}

/** A field for any of a few values. */
function ChecksField({ choices, ...props }: ChecksFieldProps) {
  const { value, change, label, description, error } = useField(props)
  const chosen = Array.isArray(value)
    ? (value as readonly Json[]).filter((it): it is string => typeof it === 'string')
    : []
  const all = [...choices, ...chosen.filter((it) => !choices.includes(it))]
  return (
    <Checkbox.Group
      label={label}
      description={description}
      error={error}
      size="sm"
      value={[...chosen]}
      onChange={(wanted) => change(wanted.length === 0 ? undefined : wanted)}
    >
      <div className={styles['checks']}>
        {all.map((choice) => (
          <Checkbox key={choice} size="xs" value={choice} label={choice} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** A field for a route, a model of the catalogue, or one that is not configured yet. */
function ModelField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  const api = useApi()
  const { data: models = [] } = useQuery(modelsQuery(api))
  const { data: routes = [] } = useQuery(routesQuery(api))
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      placeholder="Default"
      value={text}
      completions={[
        { value: anyModel, about: 'best available' },
        ...routes.map((route) => ({ value: route.name, about: describeRoute(route) })),
        ...completionsOf(findWriters(models), { models, routes }),
      ]}
      onChange={type}
    />
  )
}

/** A group of fields. Optional groups stay folded until they have a value or are opened. */
function GroupField(props: FieldProps<GroupShape>) {
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
          // The browser reports its folding later, when the focus may already be inside.
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
