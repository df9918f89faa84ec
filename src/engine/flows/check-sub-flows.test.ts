import { expect, test } from 'vitest'
import type { FlowDefinition } from '../definition/flow.ts'
import { checkSubFlows, type ReadSubFlow } from './check-sub-flows.ts'

const calls = (id: string, ...flows: readonly (string | object)[]): FlowDefinition => ({
  id,
  label: id,
  steps: flows.map((flow, index) => ({
    id: `call_${index}`,
    type: 'sub_flow',
    ...(typeof flow === 'string' ? { flow } : (flow as { flow: string })),
  })),
})
const plain = (id: string, prompt: string): FlowDefinition => ({
  id,
  label: id,
  steps: [{ id: 'ask', type: 'ai_prompt', prompt }],
})
const among =
  (...flows: readonly FlowDefinition[]): ReadSubFlow =>
  async (id, version) => {
    const definition = flows.find((flow) => flow.id === id)
    if (definition === undefined || (version ?? 1) !== 1) return undefined
    return { definition, metadata: id === 'strict' ? { approval_required: true } : {} }
  }

test('a flow cannot run itself, directly or through others', async () => {
  expect(await checkSubFlows(calls('a', 'a'), among())).toMatchObject({
    problems: [
      { path: 'steps[0].flow', message: 'would run a flow inside itself: "a" → "a"', code: 'circle' },
    ],
  })
  const { problems } = await checkSubFlows(
    calls('a', 'leaf', 'b'),
    among(plain('leaf', 'x'), calls('b', 'leaf', 'c'), calls('c', 'a')),
  )
  expect(problems).toEqual([
    {
      path: 'steps[1].flow',
      message: 'would run a flow inside itself: "a" → "b" → "c" → "a"',
      code: 'circle',
    },
  ])
})

test('flows are nested at most five deep', async () => {
  const chain = ['b', 'c', 'd', 'e'].map((id) => calls(id, String.fromCharCode(id.charCodeAt(0) + 1)))
  const last = plain('g', 'x')
  expect((await checkSubFlows(calls('a', 'b'), among(...chain, plain('f', 'x')))).problems).toEqual([])
  expect((await checkSubFlows(calls('a', 'b'), among(...chain, calls('f', 'g'), last))).problems).toEqual([
    {
      path: 'steps[0].flow',
      message: 'runs flows more than 5 deep: "a" → "b" → "c" → "d" → "e" → "f" → "g"',
      code: 'too_deep',
    },
  ])
})

test('warns about unknown flows, inputs that are missing, and approvals', async () => {
  const read = among(plain('ask', '{{topic.name}} {{tone}}'), plain('strict', 'x'))
  const { problems, warnings } = await checkSubFlows(
    calls(
      'a',
      'gone',
      { flow: 'ask', flow_version: 2 },
      { flow: 'ask', input: { tone: 'kind' } },
      { flow: 'ask', input: { tone: 'kind', topic: '{{x}}' } },
      'strict',
    ),
    read,
  )
  expect(problems).toEqual([])
  expect(warnings.map(({ path, message, code }) => `${code} ${path} ${message}`)).toEqual([
    'unknown_flow steps[0].flow no flow "gone": the step fails until there is one',
    'unknown_flow steps[1].flow no version 2 of a flow "ask": the step fails until there is one',
    'missing_input steps[2].input the flow "ask" reads topic.name, which the input does not have',
    'approval_not_asked steps[4].flow the flow "strict" requires an approval, which is not asked for when it runs as a step',
  ])
})

test('flows that run many others several times are visited once', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `n${index}`)
  const flows = many.map((id, index) => calls(id, ...many.slice(index + 1)))
  let reads = 0
  const read: ReadSubFlow = (id, version) => {
    reads += 1
    return among(...flows)(id, version)
  }
  const { problems } = await checkSubFlows(calls('a', ...many), read)
  expect(problems[0]?.code).toBe('too_deep')
  expect(reads).toBe(50)
})
