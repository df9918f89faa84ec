import { UserError } from '#kernel/errors'
import { count, oneLine, printable } from '../../text.ts'
import { connect, type PlatformApi } from '../platform-api.ts'
import { exitCodes, inPath, printJson, type RemoteOptions } from '../remote-command.ts'
import { type JsonObject, readFlowFiles } from './flow-files.ts'

export interface TestOptions extends RemoteOptions {
  readonly dir?: string
  readonly name?: readonly string[]
}

/** As in the response of the API. */
interface TestResult {
  readonly name: string
  readonly passed: boolean
  readonly problems: readonly Problem[]
  readonly execution_id: string | null
}

interface Problem {
  readonly code: string
  readonly message: string
  readonly expectation?: Expectation
}

interface Expectation {
  readonly field: string
  readonly operator: string
  readonly expected?: unknown
  readonly actual?: unknown
}

interface FlowResult {
  readonly flow_id: string
  readonly passed: boolean
  readonly tests: readonly TestResult[]
}

/**
 * `tutti flows test`: replays the saved tests of flows, with the saved versions or with the definitions of a folder. Ends with 1 when
 * a test fails.
 */
export async function testFlows(ids: readonly string[], { dir, name, json, ...options }: TestOptions) {
  const api = await connect(options)
  const definitions = await readDefinitions(dir)
  const chosen = await chooseFlows(api, ids, definitions)
  const results: FlowResult[] = []
  for (const id of chosen) {
    const wanted = await testNames(api, id, name)
    if (wanted.length === 0) continue
    const tests = await runTests(api, id, { names: wanted, definition: definitions?.get(id) })
    const result = { flow_id: id, passed: tests.every(({ passed }) => passed), tests }
    results.push(result)
    if (json !== true) printResult(result, api)
  }
  if (json === true) printJson(results)
  const tests = results.flatMap((result) => result.tests)
  if (tests.length === 0) {
    const which = name === undefined ? 'has a test' : `has a test named ${name.join(' or ')}`
    const reason = `No flow ${which}${ids.length === 0 ? '' : ` among ${ids.join(', ')}`}.`
    // Naming something that does not exist must not look like a success in CI.
    if (ids.length > 0 || name !== undefined) throw new UserError(reason)
    console.error(reason)
  }
  const failed = tests.filter(({ passed }) => !passed).length
  if (json !== true && tests.length > 0)
    console.log(`\n${count(tests.length, 'test')}, ${failed === 0 ? 'all passed' : `${failed} failed`}.`)
  return failed === 0 ? exitCodes.done : exitCodes.failed
}

/** The definitions in the files of a folder, by flow. Undefined: those of the platform are tested. */
async function readDefinitions(
  dir: string | undefined,
): Promise<ReadonlyMap<string, JsonObject> | undefined> {
  if (dir === undefined) return undefined
  return new Map((await readFlowFiles([dir])).map(({ id, definition }) => [id, definition]))
}

/** The named flows, else those of the folder, else all that are not built in. Throws a UserError for one without a file. */
async function chooseFlows(
  api: PlatformApi,
  ids: readonly string[],
  definitions: ReadonlyMap<string, JsonObject> | undefined,
): Promise<readonly string[]> {
  const missing = ids.find((id) => definitions?.has(id) === false)
  if (missing !== undefined) throw new UserError(`The folder has no file of the flow "${missing}".`)
  const { entries } =
    ids.length > 0 && definitions === undefined
      ? { entries: [] }
      : await api.list<{ id: string; built_in: boolean }>('/flows', { entries: 'flows' })
  if (definitions !== undefined) {
    // A new flow has no saved tests yet.
    const known = new Set(entries.map(({ id }) => id))
    return (ids.length > 0 ? ids : [...definitions.keys()]).filter((id) => known.has(id))
  }
  return ids.length > 0 ? ids : entries.filter((flow) => !flow.built_in).map(({ id }) => id)
}

async function testNames(
  api: PlatformApi,
  id: string,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  const { tests } = await api.call<{ tests: readonly { name: string }[] }>(`/flows/${inPath(id)}/tests`)
  return tests.map(({ name }) => name).filter((name) => wanted?.includes(name) ?? true)
}

/** The platform runs the tests of a request one after the other, each for up to a minute. */
const testsPerRequest = 10
const requestTimeoutMs = (testsPerRequest + 1) * 60_000

async function runTests(
  api: PlatformApi,
  id: string,
  { names, definition }: { readonly names: readonly string[]; readonly definition: JsonObject | undefined },
): Promise<readonly TestResult[]> {
  const results: TestResult[] = []
  for (let at = 0; at < names.length; at += testsPerRequest) {
    const { tests } = await api.call<FlowResult>(`/flows/${inPath(id)}/tests/run`, {
      method: 'POST',
      body: { names: names.slice(at, at + testsPerRequest), ...(definition !== undefined && { definition }) },
      timeoutMs: requestTimeoutMs,
    })
    results.push(...tests)
  }
  return results
}

function printResult({ flow_id: flow, tests }: FlowResult, { url }: PlatformApi): void {
  console.log(flow)
  for (const { name, passed, problems, execution_id: run } of tests) {
    console.log(`  ${passed ? 'passed' : 'failed'}  ${name}`)
    for (const problem of problems) for (const line of describe(problem)) console.log(`      ${line}`)
    if (!passed && run !== null) console.log(`      Trace: ${url}/executions/${run}`)
  }
}

function describe({ code, message, expectation }: Problem): readonly string[] {
  if (expectation === undefined) return [`${code}: ${oneLine(message)}`]
  const { field, operator, expected, actual } = expectation
  return [`${oneLine(field)} ${operator}`, ...compare(linesOf(expected), linesOf(actual))]
}

/** A value as lines; undefined when there is none. */
function linesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'string' && value.includes('\n') ? value : JSON.stringify(value, null, 2)
  return printable(text).split('\n')
}

const context = 2
const maxLines = 60

/** The expected lines with `-`, the actual ones with `+`; equal lines around them are shown in part. */
function compare(
  expected: readonly string[] | undefined,
  actual: readonly string[] | undefined,
): readonly string[] {
  const found = actual ?? ['(there is no value)']
  if (expected === undefined) return [`  actual    ${found.join('\n            ')}`]
  if (expected.length === 1 && found.length === 1)
    return [`- expected  ${expected[0]}`, `+ actual    ${found[0]}`]
  const most = Math.min(expected.length, found.length)
  let before = 0
  while (before < most && expected[before] === found[before]) before += 1
  let after = 0
  while (after < most - before && expected.at(-1 - after) === found.at(-1 - after)) after += 1
  const changed = (lines: readonly string[], mark: string) =>
    lines.slice(before, lines.length - after).map((line) => `${mark} ${line}`)
  const lines = [
    ...(before > context ? ['  …'] : []),
    ...found.slice(Math.max(0, before - context), before).map((line) => `  ${line}`),
    ...changed(expected, '-'),
    ...changed(found, '+'),
    ...found.slice(found.length - after, found.length - after + context).map((line) => `  ${line}`),
    ...(after > context ? ['  …'] : []),
  ]
  return lines.length > maxLines
    ? [...lines.slice(0, maxLines), `  … ${lines.length - maxLines} more lines`]
    : lines
}
