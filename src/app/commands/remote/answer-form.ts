import { oneLine } from '../text.ts'
import { openPrompt } from './ask.ts'

/** The form of a human task: a JSON schema of an object with plain fields. */
export interface TaskForm {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

interface FieldSchema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: { readonly enum?: readonly string[] }
  readonly default?: unknown
}

interface Field extends FieldSchema {
  readonly name: string
  readonly isRequired: boolean
}

/** The fields of a form, the required ones first: a stored form does not keep its order. */
export function fieldsOf({ properties = {}, required = [] }: TaskForm): readonly Field[] {
  return Object.entries(properties)
    .map(([name, schema]) => ({ ...schema, name, isRequired: required.includes(name) }))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

/** What a field takes, in a few words. */
export function describeField(field: Field): string {
  return `${kindOf(field)}${field.isRequired ? ', required' : ''}`
}

function kindOf({ type, format, enum: options, items }: Field): string {
  if (options !== undefined) return `one of: ${oneLine(options.join(', '))}`
  if (type === 'array') return `some of: ${oneLine((items?.enum ?? []).join(', '))}`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return 'a whole number'
  if (type === 'number') return 'a number'
  return { date: 'a date, such as 2026-12-31', email: 'an e-mail address' }[format ?? ''] ?? 'text'
}

/** An answer with the required fields, or with the first one when none is required. */
export function exampleAnswer(form: TaskForm): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(form)
  const needed = fields.filter(({ isRequired }) => isRequired)
  const shown = needed.length > 0 ? needed : fields.slice(0, 1)
  return Object.fromEntries(shown.map((field) => [field.name, exampleValue(field)]))
}

function exampleValue({ type, format, enum: options, items, default: preset }: Field): unknown {
  if (preset !== undefined) return preset
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (type === 'array') return (items?.enum ?? []).slice(0, 1)
  if (options !== undefined) return options[0]
  return { date: '2026-12-31', email: 'ada@example.com' }[format ?? ''] ?? '…'
}

/** Asks at the terminal for each field; an empty line takes the default or leaves the field out. Throws a UserError when the input ends. */
export async function askForm(form: TaskForm): Promise<Readonly<Record<string, unknown>>> {
  using prompt = openPrompt()
  const answer: Record<string, unknown> = {}
  for (const field of fieldsOf(form)) {
    const preset = field.default === undefined ? '' : ` [${oneLine(JSON.stringify(field.default))}]`
    const title = oneLine(field.title ?? field.name)
    const about = field.description === undefined ? '' : `${oneLine(field.description)}\n`
    for (;;) {
      const given = await prompt.ask(`${about}${title} (${describeField(field)})${preset}: `)
      const value = given === '' ? field.default : valueOf(field, given)
      if (given === '' && value === undefined && field.isRequired) continue
      if (given !== '' && value === undefined) {
        console.error(`It must be ${kindOf(field)}.`)
        continue
      }
      if (value !== undefined) answer[field.name] = value
      break
    }
  }
  return answer
}

/** Undefined: the text is no value of the field. */
function valueOf({ type, enum: options, items }: Field, given: string): unknown {
  if (type === 'boolean') {
    if (/^(true|y|yes)$/i.test(given)) return true
    return /^(false|n|no)$/i.test(given) ? false : undefined
  }
  if (type === 'integer' || type === 'number') {
    const number = Number(given)
    return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined
  }
  if (type === 'array') {
    const chosen = given.split(',').map((one) => one.trim())
    return chosen.every((one) => items?.enum?.includes(one) === true) ? chosen : undefined
  }
  return options === undefined || options.includes(given) ? given : undefined
}
