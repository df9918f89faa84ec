import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UserError } from '#kernel/errors'

export interface RequestOptions {
  readonly input?: string
  readonly context?: string
  readonly option?: readonly string[]
  readonly flowVersion?: string
}

/** The request body, from the arguments of the command line. */
export async function readRequest(flow: string, given: RequestOptions): Promise<Record<string, unknown>> {
  const { input, context, option = [], flowVersion } = given
  const known = context === undefined ? {} : readObject(await readGiven(context, '--context'), '--context')
  return {
    flow_id: flow,
    ...(flowVersion !== undefined && { flow_version: readVersion(flowVersion) }),
    context: { ...known, ...(input !== undefined && { content: await readGiven(input, '--input') }) },
    options: readOptions(option),
  }
}

/** The text itself, or the content of @FILE or of standard input (-). */
export async function readGiven(given: string, name: string): Promise<string> {
  if (given === '-') return await text(process.stdin)
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UserError(`${name}: ${file} cannot be read (${code}).`, { cause: error })
  }
}

/** A JSON object. Throws a UserError for anything else. */
export function readObject(json: string, name: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(`${name} is not JSON: ${reason}`, { cause: error })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new UserError(`${name} must be a JSON object, such as {"metadata": {"language": "de"}}.`)
}

/** `a.b=1` is `{a: {b: 1}}`. A value that is not JSON is a string. */
function readOptions(given: readonly string[]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const one of given) {
    const at = one.indexOf('=')
    const path = one.slice(0, Math.max(0, at)).split('.')
    if (at < 1 || path.some((name) => !/^[a-z_]+$/.test(name))) {
      throw new UserError(`--option must be NAME=VALUE, such as ai_options.cost_limit=0.5; this is ${one}`)
    }
    put(options, path, readValue(one.slice(at + 1)))
  }
  return options
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const group = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  target[name] = group
  put(group, rest, value)
}

function readValue(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function readVersion(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new UserError(`--flow-version must be a whole number; this is ${given}`)
}
