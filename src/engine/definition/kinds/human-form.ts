import type { Problem } from '#kernel/errors'

/** A field of the form of a human task. */
export interface FormField {
  readonly name: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  readonly title: string
  readonly description: string | undefined
  readonly format: 'date' | 'email' | 'multiline' | undefined
  /** The values of a choice; undefined: any value of the type. */
  readonly options: readonly string[] | undefined
  readonly default: unknown
  readonly required: boolean
}

type Parts = Readonly<Record<string, unknown>>

/** The form of a task without one of its own. */
export const approvalForm: Parts = {
  type: 'object',
  properties: { approved: { type: 'boolean', title: 'Approved' } },
  required: ['approved'],
}

const maxFields = 30
const maxOptions = 200
const maxTextLength = 10_000

const formats = ['date', 'email', 'multiline'] as const
const types = ['string', 'number', 'integer', 'boolean', 'array'] as const
const keywords = new Set(['type', 'title', 'description', 'default', 'format', 'enum', 'items'])

/** Adds a problem. Returns undefined, for fields that cannot be read. */
type Report = (path: string, message: string) => undefined

/** Reads a form: a JSON schema of an object with plain fields. With problems, the fields are incomplete. Never throws. */
export function readForm(
  form: unknown,
  place: string,
): { readonly fields: readonly FormField[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const report: Report = (path, message) => {
    problems.push({ path, message, code: 'form' })
    return undefined
  }
  if (!isObject(form))
    return { fields: [], problems: [{ path: place, message: 'must be an object', code: 'form' }] }
  for (const key of Object.keys(form)) {
    if (!['type', 'title', 'description', 'properties', 'required'].includes(key))
      report(`${place}.${key}`, 'is not supported in a form')
  }
  if (form['type'] !== 'object') report(`${place}.type`, 'must be "object"')
  const { properties } = form
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    report(`${place}.properties`, 'must have at least one field')
    return { fields: [], problems }
  }
  const names = Object.keys(properties)
  if (names.length > maxFields) report(`${place}.properties`, `must have at most ${maxFields} fields`)
  const required = readRequired(form['required'], names, `${place}.required`, report)
  const fields = names.slice(0, maxFields).flatMap((name) => {
    const at = `${place}.properties.${name}`
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) {
      report(at, 'must be named with up to 64 letters, digits and underscores')
      return []
    }
    return readField(name, properties[name], required.has(name), at, report) ?? []
  })
  return { fields, problems }
}

function readRequired(
  required: unknown,
  names: readonly string[],
  at: string,
  report: Report,
): ReadonlySet<string> {
  if (required === undefined) return new Set()
  if (!isTexts(required) || required.some((name) => !names.includes(name))) {
    report(at, 'must be a list of names of fields')
    return new Set()
  }
  return new Set(required)
}

function readField(
  name: string,
  field: unknown,
  required: boolean,
  at: string,
  report: Report,
): FormField | undefined {
  if (!isObject(field)) return report(at, 'must be an object')
  const { type, title, description, format } = field
  const isKnown = types.find((known) => known === type)
  if (isKnown === undefined) return report(`${at}.type`, `must be one of ${types.join(', ')}`)
  for (const key of Object.keys(field)) {
    if (!keywords.has(key)) report(`${at}.${key}`, 'is not supported in a form')
  }
  for (const [key, value] of Object.entries({ title, description })) {
    if (value !== undefined && (typeof value !== 'string' || value.length > 500))
      report(`${at}.${key}`, 'must be a text of up to 500 characters')
  }
  const knownFormat = formats.find((known) => known === format)
  if (format !== undefined && (type !== 'string' || knownFormat === undefined))
    report(`${at}.format`, `must be one of ${formats.join(', ')}, on a field of type string`)
  const read: FormField = {
    name,
    type: isKnown,
    title: typeof title === 'string' && title !== '' ? title : name,
    description: typeof description === 'string' ? description : undefined,
    format: knownFormat,
    options: readOptions(isKnown, field, at, report),
    default: field['default'],
    required,
  }
  const [problem] = field['default'] === undefined ? [] : checkValue(read, field['default'], `${at}.default`)
  if (problem !== undefined) report(problem.path, problem.message)
  return read
}

function readOptions(
  type: FormField['type'],
  field: Parts,
  at: string,
  report: Report,
): readonly string[] | undefined {
  const { items } = field
  if (type === 'array') {
    const options = isObject(items) ? items['enum'] : undefined
    if (isOptions(options)) return options
    return report(`${at}.items`, 'must be {"enum": [texts]}: a list is a choice of several values')
  }
  if (items !== undefined) report(`${at}.items`, 'is only for a field of type array')
  if (field['enum'] === undefined) return undefined
  if (type === 'string' && isOptions(field['enum'])) return field['enum']
  return report(`${at}.enum`, `must be a list of up to ${maxOptions} texts, on a field of type string`)
}

function isOptions(value: unknown): value is readonly string[] {
  return isTexts(value) && value.length > 0 && value.length <= maxOptions
}

/** Checks an answer against the fields of a form. Problems name the field, inside `place`. Never throws. */
export function checkAnswer(fields: readonly FormField[], answer: unknown, place = 'answer'): Problem[] {
  if (!isObject(answer)) return [{ path: place, message: 'must be an object', code: 'type' }]
  const names = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(answer).filter((name) => !names.has(name))
  return [
    ...unknown.map((name) => ({
      path: `${place}.${name}`,
      message: 'is not a field of the form',
      code: 'unknown',
    })),
    ...fields.flatMap((field) => {
      const value = Object.hasOwn(answer, field.name) ? answer[field.name] : undefined
      const path = `${place}.${field.name}`
      if (value !== undefined) return checkValue(field, value, path)
      return field.required ? [{ path, message: 'is required', code: 'required' }] : []
    }),
  ]
}

function checkValue({ type, format, options, required }: FormField, value: unknown, path: string): Problem[] {
  const wrong = (message: string): Problem[] => [{ path, message, code: 'value' }]
  if (type === 'boolean') return typeof value === 'boolean' ? [] : wrong('must be true or false')
  if (type === 'number' || type === 'integer') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return wrong('must be a number')
    return type === 'number' || Number.isSafeInteger(value) ? [] : wrong('must be a whole number')
  }
  if (type === 'array') {
    if (!isTexts(value) || value.some((one) => options?.includes(one) === false))
      return wrong(`must be a list of ${options?.join(', ') ?? 'texts'}`)
    return required && value.length === 0 ? wrong('must have at least one value') : []
  }
  if (typeof value !== 'string') return wrong('must be a text')
  if (value.length > maxTextLength) return wrong(`must have at most ${maxTextLength} characters`)
  if (required && value.trim() === '') return wrong('must not be empty')
  if (options !== undefined)
    return options.includes(value) ? [] : wrong(`must be one of ${options.join(', ')}`)
  if (value === '') return []
  if (format === 'date' && !isDate(value)) return wrong('must be a date such as 2027-01-31')
  return format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value) ? wrong('must be an e-mail address') : []
}

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 500)
}

function isObject(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
