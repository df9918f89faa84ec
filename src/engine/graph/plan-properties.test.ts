import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { readGraph } from './graph.ts'
import { type Choice, createPlan } from './plan.ts'
import { interpret } from './reference-interpreter.ts'

/** A randomly generated step: its dependencies and named steps, as positions among the steps before and after it. */
interface Drawn {
  readonly before: readonly number[]
  readonly kind: 'plain' | 'conditional' | 'routing'
  readonly named: readonly number[]
  readonly choice: number
  readonly alone: boolean
  /** The position of its error handler, and whether it fails. */
  readonly handler: number
  readonly fails: boolean
}

const drawnSteps = fc.array(
  fc.record({
    before: fc.array(fc.nat(11), { maxLength: 3 }),
    kind: fc.constantFrom('plain', 'plain', 'conditional', 'routing'),
    named: fc.array(fc.nat(11), { maxLength: 3 }),
    choice: fc.nat(7),
    alone: fc.boolean(),
    handler: fc.nat(30),
    fails: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

interface Flow {
  readonly steps: Step[]
  readonly choices: Readonly<Record<string, Choice>>
}

/** Builds a flow from generated steps. Edges only lead forward, so that there is no cycle. */
function flowOf(drawn: readonly Drawn[]): Flow {
  const choices: Record<string, Choice> = {}
  const steps = drawn.map(({ before, kind, named, choice, alone, handler, fails }, position): Step => {
    const id = `s${position}`
    const common = {
      id,
      dependencies: [...new Set(before.filter((other) => other < position).map((other) => `s${other}`))],
      parallel_execution: !alone,
      ...(handler > position && handler < drawn.length && { on_error: `s${handler}` }),
    }
    const failed: Choice | undefined =
      fails && common.on_error !== undefined ? { kind: 'jump', target: common.on_error } : undefined
    const targets = [...new Set(named.filter((other) => other > position && other < drawn.length))]
      .sort((left, right) => left - right)
      .map((other) => `s${other}`)
    const picked = targets[choice % Math.max(1, targets.length)]
    if (kind === 'conditional') {
      if (failed !== undefined) choices[id] = failed
      else if (choice === 7 || picked === undefined) choices[id] = { kind: 'continue' }
      else
        choices[id] = choice % 2 === 0 ? { kind: 'jump', target: picked } : { kind: 'continue', next: picked }
      return {
        ...common,
        type: 'conditional',
        conditions: [
          { field: 'x', operator: 'exists', action: { type: 'continue' } },
          ...targets.map((target_step) => ({
            field: 'x',
            operator: 'exists' as const,
            action: { type: 'jump_to_step' as const, target_step },
          })),
        ],
      }
    }
    const prompt = { ...common, type: 'ai_prompt' as const, prompt: 'x' }
    if (failed !== undefined) choices[id] = failed
    if (kind === 'plain' || targets.length === 0) return prompt
    const [last = '', ...added] = targets.toReversed()
    choices[id] ??=
      choice % 2 === 0
        ? { kind: 'route', added: added.slice(0, 1), next: last }
        : { kind: 'route', added: [] }
    return {
      ...prompt,
      agent_routing: true,
      routing_options: { a: { add_steps: added.slice(0, 1), continue_to: last }, b: { add_steps: added } },
    }
  })
  return { steps, choices }
}

/** Runs a flow with several steps in parallel, which start and end in a generated order. */
function runAtRandom({ steps, choices }: Flow, picks: readonly number[]) {
  const graph = readGraph(steps)
  const plan = createPlan(graph)
  const running: string[] = []
  const over = new Set<string>()
  const result: Record<string, 'ran' | 'skipped'> = {}
  let turn = 0
  const pick = <Item>(items: Item[]): Item =>
    items[(picks[turn++ % picks.length] ?? 0) % items.length] as Item
  for (let rounds = 0; rounds < 1000; rounds += 1) {
    const ready = [...plan.ready()]
    if (ready.length === 0 && running.length === 0) break
    if (ready.length > 0 && (running.length === 0 || pick([true, false]))) {
      const id = pick(ready)
      const { after, alone } = graph.byId.get(id) ?? { after: new Set<string>(), alone: false }
      expect(
        [...after].filter((before) => !over.has(before)),
        `${id} began too early`,
      ).toEqual([])
      if (alone) expect(running, `${id} is not alone`).toEqual([])
      plan.start(id)
      running.push(id)
    } else {
      const id = pick(running)
      running.splice(running.indexOf(id), 1)
      result[id] = 'ran'
      over.add(id)
      for (const skipped of plan.finish(id, { failed: false, choice: choices[id] })) {
        expect(result[skipped.id], `${skipped.id} ran and was skipped`).toBeUndefined()
        result[skipped.id] = 'skipped'
        over.add(skipped.id)
      }
    }
  }
  expect(plan.isFinished()).toBe(true)
  return result
}

const plain: Drawn = {
  before: [],
  kind: 'plain',
  named: [],
  choice: 0,
  alone: false,
  handler: 0,
  fails: false,
}

/** A decision jumps to a step that another, pending decision jumps over. */
const twoJumps: [Drawn[], number[]] = [
  [
    { ...plain, kind: 'conditional', named: [6] },
    plain,
    plain,
    { ...plain, kind: 'conditional', named: [7] },
    { ...plain, before: [0], kind: 'conditional', named: [5] },
    { ...plain, before: [3] },
    { ...plain, before: [5] },
    plain,
  ],
  [0],
]

test('for any graph and any order of step ends, the plan runs the same steps as the reference implementation', () => {
  fc.assert(
    fc.property(drawnSteps, fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), (drawn, picks) => {
      const flow = flowOf(drawn)
      expect(runAtRandom(flow, picks)).toEqual(interpret(flow.steps, (id) => flow.choices[id]))
    }),
    { numRuns: 1000, examples: [twoJumps] },
  )
})
