import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UserError } from '#kernel/errors'
import type { PlatformOptions } from '../find-platform.ts'
import { connect, type PlatformApi } from '../remote/platform-api.ts'
import { oneLine } from '../text.ts'
import { followStream } from './follow-stream.ts'
import { printExecution } from './print-execution.ts'
import { createProgressView } from './progress.ts'

export interface RunFlowOptions extends PlatformOptions, RequestOptions {
  readonly follow?: true
  readonly detach?: true
  readonly json?: true
}

interface Accepted {
  readonly execution_id: string
  readonly approval: string | null
  readonly warnings: readonly { readonly message: string }[]
}

/**
 * `tutti run`: queues an execution, follows it to its end and prints its result. Returns whether it completed. A queued execution has
 * an id at once, so that a broken connection can resume and Ctrl-C can cancel it; a synchronous one would not.
 */
export async function runFlow(flow: string, options: RunFlowOptions): Promise<boolean> {
  const api = await connect(options)
  const body = await readRequest(flow, options)
  const accepted = await api.call<Accepted>('/execute-flow-async', { method: 'POST', body })
  const { execution_id: id, warnings } = accepted
  for (const { message } of warnings) console.error(`tutti: ${oneLine(message)}`)
  if (accepted.approval === 'pending') {
    console.error(`tutti: it starts when it is approved: npx tutti runs approve ${id}${api.flags}`)
  }
  if (options.detach === true) {
    console.log(options.json === true ? JSON.stringify(accepted, null, 2) : id)
    return true
  }
  using interrupts = cancelOnInterrupt(api, id)
  await followToEnd(api, id, { signal: interrupts.signal, shows: options.follow === true })
  return await printExecution(api, id, options)
}

/** Waits for the end of an execution, and shows its progress on standard error. */
export async function followToEnd(
  api: PlatformApi,
  id: string,
  { signal, shows }: { readonly signal: AbortSignal; readonly shows: boolean },
): Promise<void> {
  const view = shows ? createProgressView(process.stderr) : undefined
  try {
    for await (const event of followStream(api, id, signal)) view?.take(event)
  } finally {
    view?.close()
  }
}

/** The first Ctrl-C cancels the execution and waits for its end. The second exits at once and leaves it running. */
function cancelOnInterrupt(api: PlatformApi, id: string): Disposable & { readonly signal: AbortSignal } {
  const leaving = new AbortController()
  let asked = false
  const interrupt = () => {
    if (asked) process.exit(130)
    asked = true
    console.error('tutti: cancelling; Ctrl-C once more leaves it to itself.')
    api
      .call(`/executions/${id}/cancel`, { method: 'POST', body: { reason: 'interrupted at the terminal' } })
      .catch((error: unknown) => {
        const reason = error instanceof UserError ? error.message : String(error)
        console.error(`tutti: it could not be cancelled: ${oneLine(reason)}`)
      })
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    signal: leaving.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      leaving.abort()
    },
  }
}

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
async function readGiven(given: string, name: string): Promise<string> {
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

function readObject(json: string, name: string): Record<string, unknown> {
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
