import { type Database, storableJson } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Comparison } from '../definition/common-step.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import { patternOfPath } from '../definition/nested-steps.ts'
import { childrenOf, type Step } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import { createLoadedFlows, createStepFinder } from '../execution/sub-flows.ts'
import type { Flows } from '../flows/flows.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import type { FollowOptions } from '../live/follow-execution.ts'
import type { Recording } from '../steps/replay-steps.ts'
import type { LargeOutputs } from '../store/large-outputs.ts'
import type { StoredExecution } from '../store/read-execution.ts'
import { readOutcomes } from '../store/read-outcomes.ts'
import { checkExpectations, type TestProblem } from './check-expectations.ts'
import { recordExecution, type TestInput } from './record.ts'

/** Tests of a flow, bytes and steps of a recording, and tests of one run. */
const maxTests = 100
const maxRecordedBytes = 4 * 1024 * 1024
const maxRecordedSteps = 5000
const maxTestsPerRun = 50

/** Outcomes of an execution that are read to record it, and their bytes; most of a large one are computed. */
const maxReadOutcomes = 20_000
const maxReadBytes = 64 * 1024 * 1024

/** Tests of a run that are executed at the same time, and how long one may take. */
const concurrency = 5
const maxRunMs = 60_000

/** A saved input of a flow, with the answers that its steps get. */
interface FlowTest {
  readonly name: string
  readonly input: TestInput
  readonly recorded: Recording
  readonly expect: readonly Comparison[]
  /** Null: the recording was given. */
  readonly recordedVersion: number | null
  readonly updatedAt: Date
}

interface SavedTest {
  readonly expect: readonly Comparison[]
  readonly by: string | null
  /** A finished execution of the flow, or the input and the recording. */
  readonly source:
    | { readonly execution: StoredExecution }
    | { readonly input: TestInput; readonly recorded: Recording }
}

interface TestResult {
  readonly name: string
  readonly passed: boolean
  readonly problems: readonly TestProblem[]
  /** Null: the recording does not fit the flow, so nothing ran. */
  readonly executionId: string | null
}

interface TestResults {
  readonly results: readonly TestResult[]
  /** Tests beyond those that one run may have. */
  readonly notRun: number
}

interface TestRun {
  /** The tests to run; all by default. */
  readonly names?: readonly string[] | undefined
  /** Another definition, such as one that is not saved yet. Default: the current version. */
  readonly definition?: unknown
  readonly accountId: string
  readonly resultOf: (record: StoredExecution) => unknown
  readonly signal: AbortSignal
}

/** Saved tests of flows. Running one calls no model and no service, costs nothing, and is not counted in the history. */
export interface FlowTests {
  list(flowId: string): Promise<readonly FlowTest[]>
  /** Throws `flow_test_not_found`. */
  read(flowId: string, name: string): Promise<FlowTest>
  /** Creates or replaces a test. Throws `flow_not_found`, `flow_test_not_recordable` and `too_many_flow_tests`. */
  save(flowId: string, name: string, test: SavedTest): Promise<FlowTest>
  /** Throws `flow_test_not_found`. */
  remove(flowId: string, name: string): Promise<void>
  /** Throws `flow_not_found`, `flow_test_not_found`, `invalid_flow_definition`, `queue_full` and `shutting_down`. */
  run(flowId: string, run: TestRun): Promise<TestResults>
}

export interface FlowTestsOptions {
  readonly database: Pick<Database, 'query'>
  readonly outputs: Pick<LargeOutputs, 'require'>
  readonly flows: Pick<Flows, 'read' | 'keepDraft'>
  readonly versions: Pick<FlowVersions, 'read' | 'graphOf'>
  readonly requireQueueCapacity: (accountId: string) => Promise<void>
  readonly executions: {
    enqueue(start: {
      readonly flowId: string
      readonly flowVersion: number
      readonly accountId: string
      readonly priority: 'normal'
      readonly input: ExecutionInput
    }): Promise<{ readonly id: string }>
    read(id: string): Promise<StoredExecution | undefined>
    follow(options: FollowOptions): AsyncIterable<unknown>
    cancel(id: string, options: { readonly by: string | null; readonly reason: string }): Promise<unknown>
  }
}

interface Row {
  readonly name: string
  readonly input: TestInput
  readonly recorded: string
  readonly expect: readonly Comparison[]
  readonly recordedVersion: number | null
  readonly updatedAt: Date
}

const columns = `name, input, recorded, expect, recorded_version as "recordedVersion", updated_at as "updatedAt"`

export function createFlowTests(options: FlowTestsOptions): FlowTests {
  const { database, outputs, flows, versions, executions, requireQueueCapacity } = options

  async function list(flowId: string): Promise<readonly FlowTest[]> {
    const rows = await database.query<Row>(
      `select ${columns} from engine_flow_tests where flow_id = $1 order by name`,
      [flowId],
    )
    return rows.map(toTest)
  }

  async function read(flowId: string, name: string): Promise<FlowTest> {
    const [row] = await database.query<Row>(
      `select ${columns} from engine_flow_tests where flow_id = $1 and name = $2`,
      [flowId, name],
    )
    if (row === undefined) throw noSuchTest(flowId, name)
    return toTest(row)
  }

  async function runOne(test: FlowTest, { steps, ...draft }: Draft, run: TestRun): Promise<TestResult> {
    const { accountId, signal, resultOf } = run
    const broken = findBrokenChoice(test.recorded, steps)
    if (broken !== undefined) return { name: test.name, passed: false, problems: [broken], executionId: null }
    const input = { ...test.input, replay: test.recorded }
    const { id } = await executions.enqueue({ ...draft, accountId, priority: 'normal', input })
    const ending = AbortSignal.any([signal, AbortSignal.timeout(maxRunMs)])
    for await (const _ of executions.follow({ id, after: 0, signal: ending })) {
      // Only the end matters.
    }
    const record = await executions.read(id)
    if (record === undefined || record.finishedAt === null) {
      await executions.cancel(id, { by: accountId, reason: 'The test took too long.' })
      const message = `The execution has not ended within ${maxRunMs / 1000} seconds.`
      return {
        name: test.name,
        passed: false,
        problems: [{ code: 'TEST_TIMEOUT', message }],
        executionId: id,
      }
    }
    const problems = checkExpectations(record, resultOf(record), test.expect)
    return { name: test.name, passed: problems.length === 0, problems, executionId: id }
  }

  /** With the steps inside containers, which the execution itself does not list. */
  async function recordWhole(execution: StoredExecution) {
    await requireReadable(execution.id)
    const outcomes = await outputs.require(await readOutcomes(database, execution.id))
    const loaded = createLoadedFlows(versions, (ref) => versions.read(ref.id, ref.version))
    await loaded.load(outcomes)
    const stepOf = createStepFinder(versions.graphOf(execution.definition), (ref) =>
      versions.graphOf(loaded.get(ref).definition),
    )
    return recordExecution({ ...execution, outcomes }, stepOf)
  }

  async function requireReadable(id: string): Promise<void> {
    const [row] = await database.query<{ rows: number; bytes: number }>(
      `
        select count(*)::integer as rows, coalesce(sum(engine_output_bytes(output)), 0)::float8 as bytes
        from engine_steps where execution_id = $1
      `,
      [id],
    )
    const { rows = 0, bytes = 0 } = row ?? {}
    if (rows <= maxReadOutcomes && bytes <= maxReadBytes) return
    throw notRecordable(
      `The execution has ${rows} outcomes with ${Math.ceil(bytes / 1024 / 1024)} MiB, and at most ${maxReadOutcomes} with ${maxReadBytes / 1024 / 1024} MiB can be recorded. Run the flow with a smaller input.`,
      { execution_id: id },
    )
  }

  return {
    list,
    read,
    async save(flowId, name, { source, expect, by }) {
      await flows.read(flowId)
      const { input, recorded } = 'execution' in source ? await recordWhole(source.execution) : source
      const text = storableJson(recorded)
      if (Buffer.byteLength(text) > maxRecordedBytes) {
        throw notRecordable(`The recorded answers are larger than ${maxRecordedBytes / 1024 / 1024} MiB.`)
      }
      const steps = Object.keys(recorded).length
      if (steps > maxRecordedSteps) {
        throw notRecordable(
          `The recording has the answers of ${steps} steps, and a test has at most ${maxRecordedSteps}. Run the flow with a smaller input.`,
        )
      }
      const version = 'execution' in source ? source.execution.flowVersion : null
      const [row] = await database.query<Row>(
        `
          insert into engine_flow_tests (flow_id, name, input, recorded, expect, recorded_version, created_by)
          select $1, $2, $3, $4, $5, $6, $7
          where (select count(*) from engine_flow_tests where flow_id = $1 and name <> $2) < ${maxTests}
          on conflict (flow_id, name) do update
          set input = excluded.input, recorded = excluded.recorded, expect = excluded.expect,
            recorded_version = excluded.recorded_version, updated_at = now()
          returning ${columns}
        `,
        [flowId, name, storableJson(input), text, JSON.stringify(expect), version, by],
      )
      if (row === undefined) throw engineFailure('too_many_flow_tests', { details: { limit: maxTests } })
      return toTest(row)
    },
    async remove(flowId, name) {
      const rows = await database.query(
        'delete from engine_flow_tests where flow_id = $1 and name = $2 returning 1',
        [flowId, name],
      )
      if (rows.length === 0) throw noSuchTest(flowId, name)
    },
    async run(flowId, run) {
      const { names, accountId } = run
      const flow = await flows.read(flowId)
      const all = await list(flowId)
      const missing = names?.find((name) => !all.some((test) => test.name === name))
      if (missing !== undefined) throw noSuchTest(flowId, missing)
      const wanted = all.filter(({ name }) => names?.includes(name) ?? true)
      const tests = wanted.slice(0, maxTestsPerRun)
      if (tests.length === 0) return { results: [], notRun: 0 }
      await requireQueueCapacity(accountId)
      // A draft is not counted in the history, needs no approval, and is deleted with its executions.
      const definition = run.definition ?? flow.definition
      const { flowId: draftId, version } = await flows.keepDraft({ definition }, accountId)
      const { steps } = definition as FlowDefinition
      const draft = { flowId: draftId, flowVersion: version, steps }
      const results: TestResult[] = []
      for (let at = 0; at < tests.length; at += concurrency) {
        if (run.signal.aborted) throw kernelFailure('shutting_down')
        const group = tests.slice(at, at + concurrency)
        results.push(...(await Promise.all(group.map((test) => runOne(test, draft, run)))))
      }
      return { results, notRun: wanted.length - tests.length }
    },
  }
}

function notRecordable(message: string, details: Readonly<Record<string, unknown>> = {}) {
  return engineFailure('flow_test_not_recordable', { message, details })
}

interface Draft {
  readonly flowId: string
  readonly flowVersion: number
  readonly steps: readonly Step[]
}

/** A recorded decision for a step that the flow does not have any more. */
function findBrokenChoice(recorded: Recording, steps: readonly Step[]): TestProblem | undefined {
  const beside = besideEach(steps)
  for (const [step, { choice }] of Object.entries(recorded)) {
    const stepIds = beside.get(patternOfPath(step))
    if (choice === undefined || stepIds === undefined) continue
    const named =
      choice.kind === 'jump'
        ? [choice.target]
        : [choice.next, ...(choice.kind === 'route' ? choice.added : [])]
    const unknown = named.find((id) => id !== undefined && !stepIds.has(id))
    if (unknown === undefined) continue
    return {
      code: 'RECORDING_MISSING',
      message: `The recorded decision of "${step}" chose "${unknown}", which the flow does not have. Record the test again.`,
    }
  }
  return undefined
}

/** The ids of the steps of the same scope, by the path of a step without the numbers of scopes. Sub-flows are not looked into. */
function besideEach(steps: readonly Step[], around = ''): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Set(steps.map(({ id }) => id))
  return new Map(
    steps.flatMap((step) => [
      [`${around}${step.id}`, ids] as const,
      ...besideEach(childrenOf(step), `${around}${step.id}/`),
    ]),
  )
}

function toTest({ recorded, ...row }: Row): FlowTest {
  return { ...row, recorded: JSON.parse(recorded) as Recording }
}

function noSuchTest(flowId: string, name: string) {
  return engineFailure('flow_test_not_found', {
    message: `The flow "${flowId}" has no test "${name}".`,
    details: { flow_id: flowId, name },
  })
}
