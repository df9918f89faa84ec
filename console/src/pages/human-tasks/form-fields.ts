/** A field of the form of a human task. */
export interface TaskField {
  readonly name: string
  readonly kind: 'text' | 'multiline' | 'date' | 'email' | 'number' | 'choice' | 'yes or no' | 'choices'
  readonly title: string
  readonly description: string | undefined
  readonly options: readonly string[]
  readonly isRequired: boolean
  /** The value to begin with. */
  readonly initial: FieldValue
}

/** Texts hold numbers and choices, too; lists hold several choices. */
export type FieldValue = string | readonly string[]

type Parts = Readonly<Record<string, unknown>>

/** Reads a form: a JSON schema of an object with plain fields, which the platform has checked. */
export function readFields(form: Parts): TaskField[] {
  const properties = partsOf(form['properties'])
  const required = textsOf(form['required'])
  // The platform does not keep the order of the properties, but that of the required ones.
  const names = [...required, ...Object.keys(properties).filter((name) => !required.includes(name))]
  return names.map((name) => {
    const schema = properties[name]
    const field = partsOf(schema)
    const kind = kindOf(field)
    const { title, description, default: initial } = field
    return {
      name,
      kind,
      title: typeof title === 'string' && title !== '' ? title : name,
      description: typeof description === 'string' ? description : undefined,
      options: textsOf(kind === 'choices' ? partsOf(field['items'])['enum'] : field['enum']),
      isRequired: required.includes(name),
      initial: kind === 'choices' ? textsOf(initial) : isPlain(initial) ? String(initial) : '',
    }
  })
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function kindOf({ type, format, enum: options }: Parts): TaskField['kind'] {
  if (type === 'array') return 'choices'
  if (type === 'boolean') return 'yes or no'
  if (Array.isArray(options)) return 'choice'
  if (type === 'number' || type === 'integer') return 'number'
  return format === 'multiline' || format === 'date' || format === 'email' ? format : 'text'
}

/** The answer of a filled-in form. A field that was left empty is left out; the platform checks the rest. */
export function answerOf(
  fields: readonly TaskField[],
  values: ReadonlyMap<string, FieldValue>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, initial }): [string, unknown][] => {
      const value = values.get(name) ?? initial
      if (typeof value !== 'string') return value.length === 0 ? [] : [[name, value]]
      if (value === '') return []
      return [[name, kind === 'yes or no' ? value === 'true' : kind === 'number' ? numberOf(value) : value]]
    }),
  )
}

/** A text that is no number is sent as it is, so that the platform names the problem. */
function numberOf(text: string): number | string {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? text : number
}

function partsOf(value: unknown): Parts {
  return typeof value === 'object' && value !== null ? (value as Parts) : {}
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
