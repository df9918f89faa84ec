import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgesOf as edgesOfDraft } from '../../console/src/pages/flow-editor/document/edges.ts'
import type { DraftStep } from '../../console/src/pages/flow-editor/document/flow-document.ts'
import { dormantSteps } from '../../console/src/pages/flow-editor/document/references.ts'
import { stepsInside } from '../../console/src/pages/flow-editor/document/scopes.ts'
import { isContainer } from '../../console/src/pages/flow-editor/document/step-kinds.ts'
import { builtInFlows } from '../../src/engine/built-in/built-in-flows.ts'
import { sampleFlows } from '../../src/engine/built-in/samples/sample-flows.ts'
import type { Step } from '../../src/engine/definition/step-types.ts'
import { type Edge, edgesOf, readGraph } from '../../src/engine/graph/graph.ts'

/** The editor computes the graph of drafts itself, because the platform returns none for invalid flows. Both must agree. */
function expectSameGraph(steps: readonly Step[]): void {
  const draft = JSON.parse(JSON.stringify(steps)) as DraftStep[]
  const drawn = edgesOfDraft(draft)
  expect(drawn.map(line).sort()).toEqual(edgesOf(steps).map(line).sort())

  const { nodes } = readGraph(steps)
  const before = (id: string) => new Set(drawn.filter(({ to }) => to === id).map(({ from }) => from))
  for (const { id, after } of nodes) expect(before(id), id).toEqual(after)
  expect(dormantSteps(draft)).toEqual(new Set(nodes.filter(({ dormant }) => dormant).map(({ id }) => id)))
}

/** The steps inside each container are a graph of their own. */
function expectSameGraphs(steps: readonly Step[]): void {
  expectSameGraph(steps)
  const draft = JSON.parse(JSON.stringify(steps)) as DraftStep[]
  const containers = draft.filter((step) => isContainer(step))
  // Other containers have no steps in the definition: agents with tools and sub-flows.
  const nested = [...readGraph(steps).nested].filter(([, { steps: inside }]) => inside.size > 0)
  expect(containers.map(({ id }) => id)).toEqual(nested.map(([id]) => id))
  for (const container of containers) expectSameGraphs(stepsInside(container) as unknown as Step[])
}

function line({ from, to, kind, label }: Edge): string {
  return JSON.stringify([from, to, kind, label])
}

const names = ['a', 'b', 'c', 'd', 'e', 'f']
const name = fc.constantFrom(...names)
const some = fc.uniqueArray(name, { maxLength: 3 })
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined })

const action = fc.oneof(
  fc.record({ type: fc.constant('continue' as const), next_step: maybe(name) }),
  fc.record({ type: fc.constant('jump_to_step' as const), target_step: name }),
)
const comparison = fc.record({
  field: fc.constantFrom('score', 'analysis.kind'),
  operator: fc.constantFrom('<', '==', 'in', 'exists'),
  value: fc.constantFrom(70, 'tea', true, ['x', 'y'], undefined),
})
const { form } = fc.letrec<{ form: object }>((tie) => ({
  form: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({ expression: fc.constantFrom('score > 70 && kind == "tea"', 'size(tags) == 0') }),
    fc.record({ all: fc.array(tie('form'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('form'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('form') }),
  ),
}))
const condition = fc.tuple(form, action).map(([written, taken]) => ({ ...written, action: taken }))
const option = fc.record({ add_steps: maybe(some), continue_to: maybe(name) })

const parts = fc.oneof(
  fc.record({
    type: fc.constant('ai_prompt'),
    prompt: fc.constant('x'),
    routing_options: maybe(fc.dictionary(fc.constantFrom('deep', 'plain', '1'), option)),
  }),
  fc.record({
    type: fc.constant('conditional'),
    conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
    default_action: maybe(action),
  }),
  fc.record({
    type: fc.constant('data_transform'),
    transformations: fc.constant([{ operation: 'merge' }]),
  }),
  fc.record({ type: fc.constant('agent'), agent: fc.constant('summarizer') }),
)

const stepNamed = (id: string, of: fc.Arbitrary<object>) =>
  fc
    .tuple(of, maybe(some), maybe(name))
    .map(([part, dependencies, on_error]) => ({ id, ...part, dependencies, on_error }))

/** IDs are unique in the whole flow, and references name steps of the same scope. */
const inside = (container: string, depth: number): fc.Arbitrary<object[]> =>
  fc
    .tuple(...names.map((id) => stepNamed(id, anyPart(`${container}_${id}`, depth))))
    .map(
      (steps) => JSON.parse(JSON.stringify(steps).replaceAll(/"([a-f])"/g, `"${container}_$1"`)) as object[],
    )

function anyPart(id: string, depth: number): fc.Arbitrary<object> {
  if (depth === 0) return parts
  const container = inside(id, depth - 1).map((steps) => ({ type: 'for_each', items: 'rows', steps }))
  return fc.oneof({ weight: 4, arbitrary: parts }, { weight: 1, arbitrary: container })
}

/** A flow has no cycles, but a draft can have them. */
const flows = fc.tuple(...names.map((id) => stepNamed(id, anyPart(id, 2))))

test.each(
  [...builtInFlows, ...sampleFlows].map(({ definition }) => [definition.id, definition.steps] as const),
)('the editor draws %s as the engine runs it', (_id, steps) => expectSameGraphs(steps))

test('the editor draws every generated flow as the engine runs it', () => {
  fc.assert(
    fc.property(flows, (steps) => expectSameGraphs(steps as unknown as Step[])),
    { numRuns: 150 },
  )
})

test('references to unknown steps are ignored in a draft', () => {
  const draft = [
    {
      id: 'a',
      type: 'ai_prompt',
      dependencies: ['x'],
      routing_options: { go: { add_steps: ['y'], continue_to: 'b' } },
    },
    { id: 'b', type: 'agent' },
  ]
  expect(edgesOfDraft(draft).map(({ from, to }) => `${from} ${to}`)).toEqual(['a b'])
})
