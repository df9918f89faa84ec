import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  containerOfScope,
  idOfPath,
  indexOfScope,
  isContainerRow,
  scopeOfPath,
} from '../definition/nested-steps.ts'
import { childrenOf, isContainer, isPure, type Step } from '../definition/step-types.ts'
import { readGraph } from '../graph/graph.ts'
import type { Choice } from '../graph/plan.ts'
import { interpret } from '../graph/reference-interpreter.ts'
import { noUsage, StepFailure } from '../steps/step-failure.ts'
import type { StepRun } from '../steps/step-run.ts'
import type { StepOutcome, StoredError } from '../store/commit.ts'
import { createBatchItems, readySteps } from './batch-items.ts'
import { openContainer } from './containers/index.ts'
import type { Ledger } from './ledger.ts'
import type { UnreadScopes } from './open-container.ts'
import { createMemoryBudget, rulesOf } from './rules.ts'
import { endWith, type FinishedStep, type OpenScope, type StepEnd } from './running-steps.ts'
import { sizeOf } from './shared-memory.ts'
import { createSubFlows } from './sub-flows.ts'
import { createTotals } from './totals.ts'

/** A generated step. Positions refer to the steps before and after it in the same list. */
interface Drawn {
  readonly kind: 'plain' | 'conditional' | 'loop' | 'repeat' | 'call'
  readonly before: readonly number[]
  readonly target: number
  readonly handler: number
  readonly mayFail: boolean
  readonly continues: boolean
  readonly items: number
  readonly collects: boolean
  readonly concurrency: number
  readonly children: readonly Drawn[]
}

const { drawnSteps } = fc.letrec<{ drawnSteps: Drawn[] }>((tie) => ({
  drawnSteps: fc.array(
    fc.record({
      kind: fc.constantFrom(
        ...([
          'plain',
          'plain',
          'plain',
          'conditional',
          'conditional',
          'loop',
          'loop',
          'repeat',
          'call',
        ] as const),
      ),
      before: fc.array(fc.nat(5), { maxLength: 2 }),
      target: fc.nat(7),
      handler: fc.nat(12),
      mayFail: fc.boolean(),
      continues: fc.boolean(),
      items: fc.nat(3),
      collects: fc.boolean(),
      concurrency: fc.integer({ min: 1, max: 3 }),
      children: fc.oneof(
        { depthSize: 'small', maxDepth: 2, withCrossShrink: true },
        fc.constant([]),
        tie('drawnSteps'),
      ),
    }),
    { minLength: 1, maxLength: 5 },
  ),
}))

/** The steps of the flows that sub_flow steps run, by number. */
type Flows = (readonly Step[])[]

/** Builds steps from generated ones. Edges only lead forward, so that there is no cycle. */
function stepsOf(drawn: readonly Drawn[], flows: Flows, prefix = 's', depth = 0): Step[] {
  return drawn.map((given, position) => {
    const id = `${prefix}${position}`
    const at = (other: number) => `${prefix}${other}`
    const isAfter = (other: number): boolean => other > position && other < drawn.length
    const common = {
      id,
      dependencies: [...new Set(given.before.filter((other) => other < position).map(at))],
      label: given.mayFail ? 'may fail' : 'never fails',
      ...(isAfter(given.handler)
        ? { on_error: at(given.handler) }
        : given.continues && { error_handling: { on_failure: 'continue' as const } }),
    }
    if (given.kind === 'conditional') {
      const action = isAfter(given.target)
        ? { type: 'jump_to_step' as const, target_step: at(given.target) }
        : { type: 'continue' as const }
      return { ...common, type: 'conditional', conditions: [{ field: 'x', operator: 'exists', action }] }
    }
    if (given.kind === 'loop' && depth < 2 && given.children.length > 0) {
      return {
        ...common,
        type: 'for_each',
        items: `lists.n${given.items}`,
        concurrency: given.concurrency,
        on_item_error: given.collects ? 'collect' : 'fail',
        steps: stepsOf(given.children, flows, `${id}_`, depth + 1) as unknown as Record<string, unknown>[],
      }
    }
    if (given.kind === 'repeat' && depth < 2 && given.children.length > 0) {
      return {
        ...common,
        type: 'repeat_until',
        until: { field: 'x', operator: 'exists' },
        max_iterations: given.items + 1,
        on_exhausted: given.collects ? 'continue' : 'fail',
        ...(given.concurrency > 1 && { delay: '1m' }),
        steps: stepsOf(given.children, flows, `${id}_`, depth + 1) as unknown as Record<string, unknown>[],
      }
    }
    if (given.kind === 'call' && depth < 2 && given.children.length > 0) {
      // The same ids as outside.
      const steps = stepsOf(given.children, flows, 's', depth + 1)
      flows.push(steps)
      return { ...common, type: 'sub_flow', flow: `f${flows.length - 1}`, input: { lists: '{{lists}}' } }
    }
    return { ...common, type: 'ai_prompt', prompt: 'x' }
  })
}

const lists = { n0: [], n1: ['a'], n2: ['a', 'b'], n3: ['a', 'b', 'c'] }

function hash(text: string): number {
  let sum = 7
  for (const sign of text) sum = (sum * 31 + sign.charCodeAt(0)) % 100_003
  return sum
}

/** The behaviour of the world, the same for engine and reference: whether a step fails, and what a condition chooses. */
const fails = (step: Step, path: string): boolean => step.label === 'may fail' && hash(path) % 3 === 0
const outputAt = (path: string, { item, previous }: Readonly<Record<string, unknown>>): unknown =>
  isUntil(path)
    ? { condition: isMet(path) ? 0 : null }
    : `${path} of ${String(item)} after ${hash(inOneOrder(previous))}`
/** The second pass gives engine and reference the same order of keys. */
const inOneOrder = (value: unknown): string => JSON.stringify(comparable(comparable(value))) ?? ''
const isUntil = (path: string): boolean => idOfPath(path) === '$until'
const isMet = (path: string): boolean => hash(path) % 3 === 0

function choiceAt(step: Step, path: string): Choice | undefined {
  if (step.type !== 'conditional' || isUntil(path)) return undefined
  const [condition] = step.conditions
  const target = condition?.action.target_step
  return target !== undefined && hash(path) % 2 === 0 ? { kind: 'jump', target } : { kind: 'continue' }
}

interface Row {
  readonly state: string
  readonly output: unknown
}

class ScopeFailed extends Error {}

/** The recursive reference: runs one scope after the other. Rows of failed scopes depend on the order of ends, and are left out. */
function interpretScope(
  flows: Flows,
  steps: readonly Step[],
  prefix: string,
  variables: Readonly<Record<string, unknown>>,
  rows: Map<string, Row>,
): unknown {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const mine = new Map<string, Row>()
  const nested = new Map<string, Row>()

  function failAt(step: Step, path: string): Choice | undefined {
    if (step.on_error === undefined && step.error_handling?.on_failure !== 'continue') throw new ScopeFailed()
    mine.set(path, { state: 'failed', output: null })
    return step.on_error === undefined ? undefined : { kind: 'jump', target: step.on_error }
  }

  function runLoop(step: Extract<Step, { type: 'for_each' }>, path: string): Choice | undefined {
    const items = lists[step.items.slice('lists.'.length) as keyof typeof lists]
    const ended = items.map((value, index) => {
      const own = new Map<string, Row>()
      try {
        const result = interpretScope(flows, childrenOf(step), `${path}/${index}/`, { item: value }, own)
        return { own, result, failed: false }
      } catch (error) {
        if (!(error instanceof ScopeFailed)) throw error
        return { own: new Map<string, Row>(), result: null, failed: true }
      }
    })
    if (step.on_item_error === 'fail' && ended.some(({ failed }) => failed)) return failAt(step, path)
    for (const { own } of ended) for (const [at, row] of own) nested.set(at, row)
    const output = {
      results: ended.map(({ result }) => result),
      failed: ended.flatMap(({ failed }, index) => (failed ? [index] : [])),
    }
    mine.set(path, { state: 'completed', output })
    return undefined
  }

  function runRepeat(step: Extract<Step, { type: 'repeat_until' }>, path: string): Choice | undefined {
    const own = new Map<string, Row>()
    let previous: unknown
    for (let index = 0; index < step.max_iterations; index += 1) {
      const scope = `${path}/${index}/`
      const given = index === 0 ? {} : { previous }
      try {
        previous = interpretScope(flows, childrenOf(step), scope, given, own)
      } catch (error) {
        if (!(error instanceof ScopeFailed)) throw error
        return failAt(step, path)
      }
      const added = [...(index > 0 && step.delay !== undefined ? ['$delay'] : []), '$until']
      for (const id of added)
        own.set(`${scope}${id}`, { state: 'completed', output: outputAt(`${scope}${id}`, given) })
      const met = isMet(`${scope}$until`)
      const isLast = index + 1 === step.max_iterations
      if (!met && isLast && step.on_exhausted === 'fail') return failAt(step, path)
      if (!met && !isLast) continue
      for (const [at, row] of own) nested.set(at, row)
      mine.set(path, { state: 'completed', output: { result: previous, iterations: index + 1, met } })
      return undefined
    }
    throw new Error('a loop without iterations')
  }

  function runCall(step: Extract<Step, { type: 'sub_flow' }>, path: string): Choice | undefined {
    const own = new Map<string, Row>()
    try {
      const inside = flows[Number(step.flow.slice(1))] ?? []
      const output = interpretScope(flows, inside, `${path}/0/`, {}, own)
      for (const [at, row] of own) nested.set(at, row)
      mine.set(path, { state: 'completed', output })
      return undefined
    } catch (error) {
      if (!(error instanceof ScopeFailed)) throw error
      return failAt(step, path)
    }
  }

  const visited = interpret(steps, (id) => {
    const step = byId.get(id) as Step
    const path = `${prefix}${id}`
    if (step.type === 'for_each') return runLoop(step, path)
    if (step.type === 'repeat_until') return runRepeat(step, path)
    if (step.type === 'sub_flow') return runCall(step, path)
    if (fails(step, path)) return failAt(step, path)
    mine.set(path, { state: 'completed', output: outputAt(path, variables) })
    return choiceAt(step, path)
  })
  for (const [id, state] of Object.entries(visited)) {
    if (state === 'skipped') mine.set(`${prefix}${id}`, { state: 'skipped', output: null })
  }
  for (const [path, row] of [...mine, ...nested]) rows.set(path, row)
  const completed = steps.filter(({ id }) => mine.get(`${prefix}${id}`)?.state === 'completed')
  const needed = new Set(completed.flatMap(({ dependencies = [] }) => dependencies))
  const last = completed.filter(({ id, type }) => !needed.has(id) && type !== 'conditional')
  const outputOf = (id: string): unknown => mine.get(`${prefix}${id}`)?.output
  if (last.length === 0) return null
  const [only] = last
  return last.length === 1 && only !== undefined
    ? outputOf(only.id)
    : Object.fromEntries(last.map(({ id }) => [id, outputOf(id)]))
}

/** `for_each` reports the positions of failed items; their messages depend on the order of ends. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (value === null || typeof value !== 'object') return value
  const { results, errors, ...rest } = value as Record<string, unknown>
  if (Array.isArray(results) && Array.isArray(errors))
    return { results: comparable(results), failed: errors.map(({ index }: { index: number }) => index) }
  const entries = Object.entries({ ...rest, ...(results !== undefined && { results }) })
  return Object.fromEntries(entries.map(([key, inner]) => [key, comparable(inner)]))
}

/** What is read after a crash: nothing inside scopes and containers that have ended. */
function readBack(committed: readonly StepOutcome[]): StepOutcome[] {
  const known = new Set(committed.map(({ stepId }) => stepId))
  const isInEnded = (path: string): boolean => {
    const parts = path.split('/')
    return parts.slice(0, -1).some((_, index) => {
      const around = parts.slice(0, index + 1).join('/')
      const row = index % 2 === 0 ? around : `${around}/$end`
      return row !== path && known.has(row)
    })
  }
  const isSuperseded = ({ stepId, details }: StepOutcome): boolean =>
    details['only_last'] === true &&
    known.has(stepId.replace(/(\d+)\/\$end$/, (_, index: string) => `${Number(index) + 1}/$end`))
  const needed = committed.filter(({ stepId }) => !isInEnded(stepId))
  return needed.map((outcome) => ({
    ...(JSON.parse(JSON.stringify({ ...outcome, finishedAt: 0, startedAt: 0 })) as StepOutcome),
    startedAt: outcome.startedAt,
    finishedAt: outcome.finishedAt,
    output: isSuperseded(outcome) ? null : outcome.output,
  }))
}

/** Of most open loops, the ends of its scopes are not read before it ends. */
function readUnread(committed: readonly StepOutcome[]) {
  const outcomes = readBack(committed)
  const containers = outcomes.flatMap(({ stepId, details }) => {
    const container = scopeOfPath(stepId).slice(0, -1)
    const isUnread = idOfPath(stepId) === '$open' && details['results_at_end'] === true
    return isUnread && hash(container) % 4 > 0 ? [container] : []
  })
  const unread = containers.flatMap((container): UnreadScopes[] => {
    const ends = endsOf(outcomes, container)
    const last = ends.at(-1)
    if (last === undefined) return []
    const failed = ends.find(({ error }) => error !== null)
    return [
      {
        item: 0,
        container,
        ranges: ends.map(({ stepId }) => numberOf(stepId)).map((number) => [number, number] as const),
        bytes: ends.reduce((sum, { output }) => sum + sizeOf(output), 0),
        spent: 0,
        failed: failed?.error == null ? null : { index: numberOf(failed.stepId), error: failed.error },
        lastSeq: last.seq,
        lastAt: last.finishedAt,
      },
    ]
  })
  const left = new Set(unread.flatMap(({ container }) => endsOf(outcomes, container)))
  return { outcomes: outcomes.filter((outcome) => !left.has(outcome)), unread }
}

const numberOf = (end: string): number => indexOfScope(scopeOfPath(end))
const endsOf = (outcomes: readonly StepOutcome[], container: string) =>
  outcomes.filter(
    ({ stepId }) => idOfPath(stepId) === '$end' && containerOfScope(scopeOfPath(stepId)) === container,
  )

/** How often a container ended with results that were not read before. */
let unreadEnds = 0

const neverRun = () => Promise.reject(new Error('this container needs no services'))

/** Runs the flow with steps that start and end in a generated order, and workers that crash at generated points. */
async function runAtRandom(steps: readonly Step[], flows: Flows, picks: readonly number[]) {
  const graph = readGraph(steps)
  const input = { context: { lists }, options: {}, memory: {} }
  const at = new Date(1000)
  const rules = rulesOf({}, input, at)
  const committed: StepOutcome[] = []
  let uncommitted: StepOutcome[] = []
  let running: { readonly scope: OpenScope; readonly step: Step }[] = []
  let turn = 0
  const pick = (count: number): number => (picks[turn++ % picks.length] ?? 0) % count

  let opened = 0
  const subFlows = createSubFlows({
    versions: {
      async read(id) {
        return { id, label: id, steps: [...(flows[Number(id.slice(1))] ?? [])] }
      },
      graphOf: ({ steps: inside }) => readGraph(inside),
    },
    findFlow: async () => ({ version: (opened += 1), disabledAt: null }),
    accountStatusOf: async () => 'permitted',
  })

  const open = () => {
    const restored = createBatchItems({
      flow: { id: 'outer', version: 1 },
      graph,
      input,
      rules,
      memoryBudget: createMemoryBudget(1e9),
      totals: createTotals({ stored: null, isRepeating: true }),
      journal: { add: () => {}, take: () => [], giveBack: () => {} },
      ...readUnread(committed),
      ledger: () => undefined as unknown as Ledger,
      subFlows,
      onRestored: (outcomes) => uncommitted.push(...outcomes),
    })
    restored.open()
    return restored
  }

  /** Gives containers the results that were not read. Returns the error that ends the execution. */
  function readResults(): StoredError | undefined {
    for (;;) {
      const [lacking] = items.lacking()
      if (lacking === undefined) return undefined
      unreadEnds += 1
      const { outcomes, fatal } = items.takeResults(lacking, endsOf(readBack(committed), lacking.container))
      uncommitted.push(...outcomes)
      if (fatal !== undefined) return fatal
    }
  }

  function commit(): void {
    const known = new Set(committed.map(({ stepId }) => stepId))
    for (const { stepId } of uncommitted) {
      expect(known.has(stepId), `${stepId} was stored twice`).toBe(false)
      known.add(stepId)
    }
    committed.push(...uncommitted)
    // The outcomes that are read after a crash tell which numbers have been given.
    expect(new Set(committed.map(({ seq }) => seq)).size).toBe(committed.length)
    uncommitted = []
  }

  async function endOf({ scope, step }: (typeof running)[number]): Promise<StepEnd> {
    const path = `${scope.path}${step.id}`
    if (isContainer(step)) {
      const run = { ...scope.progress, step, log: () => {} } as unknown as StepRun<typeof step>
      const result = await openContainer(run, { flows: subFlows, runStep: neverRun })
      return { kind: 'completed', result, usage: noUsage, attempts: 1 }
    }
    if (fails(step, path)) {
      const failure = new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'No.' })
      return endWith(failure, step, rules.onFailureOf(step), noUsage, 1)
    }
    const output = outputAt(path, scope.progress.scope.memory)
    const result = { output, confidence: null, quality: null, usage: noUsage, details: {} }
    return {
      kind: 'completed',
      result: { ...result, choice: choiceAt(step, path) },
      usage: noUsage,
      attempts: 1,
    }
  }

  let items = open()
  for (let rounds = 0; rounds < 3000; rounds += 1) {
    const lacked = readResults()
    if (lacked !== undefined) {
      commit()
      return { end: { status: 'failed' as const, error: lacked }, committed }
    }
    const ready = readySteps(items.open()).filter(({ step }) => isPure(step) || uncommitted.length === 0)
    const ended = items.end()
    if (ended !== undefined) {
      commit()
      return { end: ended, committed }
    }
    const chance = pick(10)
    if (chance === 0 && turn < 200) {
      // The worker crashes.
      uncommitted = []
      running = []
      items = open()
    } else if (chance < 3 || (ready.length === 0 && running.length === 0)) {
      commit()
    } else if (ready.length > 0 && (running.length === 0 || chance < 7)) {
      const started = ready[pick(ready.length)]
      if (started === undefined) continue
      const path = `${started.scope.path}${started.step.id}`
      expect(
        committed.some(({ stepId }) => stepId === path),
        `${path} ran again`,
      ).toBe(false)
      started.scope.progress.start(started.step)
      running.push(started)
    } else if (running.length > 0) {
      const [ending] = running.splice(pick(running.length), 1)
      if (ending === undefined) continue
      const { scope, step } = ending
      const finished: FinishedStep = {
        step,
        path: scope.path,
        item: 0,
        cpuMs: 0,
        startedAt: at,
        endedAt: at,
        end: await endOf(ending),
      }
      const { outcomes, fatal } = items.take(finished)
      uncommitted.push(...outcomes)
      running = running.filter((other) => other.scope.ended?.signal.aborted !== true)
      if (fatal !== undefined) {
        commit()
        return { end: { status: 'failed' as const, error: fatal }, committed }
      }
    }
  }
  throw new Error('the execution did not end')
}

/** The rows outside of failed scopes and containers. */
function rowsOf(committed: readonly StepOutcome[]): Map<string, Row> {
  const failed = committed
    .filter(({ stepId, state }) => state === 'failed' && idOfPath(stepId) === '$end')
    .map(({ stepId }) => scopeOfPath(stepId))
  const failedContainers = committed
    .filter(({ state }) => state === 'failed')
    .map(({ stepId }) => `${stepId}/`)
  const left = [...failed, ...failedContainers]
  return new Map(
    committed
      .filter(({ stepId }) => !isContainerRow(stepId) && !left.some((prefix) => stepId.startsWith(prefix)))
      .map(({ stepId, state, output }) => [stepId, { state, output: comparable(output) }]),
  )
}

test('for any nesting, any order of ends and any crashes, the same steps run once with the same outputs as in the reference', async () => {
  await fc.assert(
    fc.asyncProperty(
      drawnSteps,
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 }),
      async (drawn, picks) => {
        const flows: Flows = []
        const steps = stepsOf(drawn, flows)
        const expected = new Map<string, Row>()
        let isFailed = false
        try {
          interpretScope(flows, steps, '', {}, expected)
        } catch (error) {
          if (!(error instanceof ScopeFailed)) throw error
          isFailed = true
        }
        const { end, committed } = await runAtRandom(steps, flows, [...picks, 4, 5, 8, 9])
        expect(end.status).toBe(isFailed ? 'failed' : 'completed')
        if (isFailed) return
        expect(rowsOf(committed)).toEqual(
          new Map([...expected].map(([path, row]) => [path, { ...row, output: comparable(row.output) }])),
        )
      },
    ),
    { numRuns: 500 },
  )
  expect(unreadEnds).toBeGreaterThan(0)
})
