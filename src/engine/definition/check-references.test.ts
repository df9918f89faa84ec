import { expect, test } from 'vitest'
import { checkFlow } from './check-flow.ts'

type Parts = Record<string, unknown>

const prompt = (id: string, more: Parts = {}): Parts => ({
  id,
  type: 'ai_prompt',
  prompt: 'Say something.',
  ...more,
})
const decide = (id: string, action: Parts, more: Parts = {}): Parts => ({
  id,
  type: 'conditional',
  conditions: [{ field: 'score', operator: '<', value: 70, action }],
  ...more,
})
const choose = (next_step: string): Parts => ({ type: 'continue', next_step })
const flow = (...steps: unknown[]): Parts => ({ id: 'review', label: 'Review', steps })

test('required inputs of the context are listed', () => {
  const given = flow(
    prompt('a', { prompt: 'Write about {{topic}} for {{context.audience.name}} in {{metadata.language}}.' }),
  )
  expect(checkFlow(given).requiredInputs).toEqual(['topic', 'audience.name'])
})

test('two steps that write the same key in no fixed order are a warning, unless only one of them can run', () => {
  const both = [prompt('a', { output_to_memory: 'x' }), prompt('b', { output_to_memory: 'x' })]
  expect(checkFlow(flow(...both)).warnings).toMatchObject([
    { path: 'steps[1].output_to_memory', code: 'ambiguous' },
  ])
  const ordered = [both[0], { ...both[1], dependencies: ['a'] }]
  expect(checkFlow(flow(...ordered)).warnings).toEqual([])
})

test('the output of a previous transformation is not a required input', () => {
  const given = flow({
    id: 'a',
    type: 'data_transform',
    transformations: [
      { operation: 'merge', sources: ['metadata.facts'] },
      {
        operation: 'generate_summary',
        sources: ['previous', 'metadata.author'],
        template: '{{previous.title}} by {{author.name}} for {{reader}}',
      },
    ],
  })
  expect(checkFlow(given).requiredInputs).toEqual(['reader'])
})

test('a routing condition may use the response of its own step', () => {
  const routing = { agent_routing: true, routing_options: { x: { condition: 'score < 5' }, y: {} } }
  expect(checkFlow(flow(prompt('a', { output_to_memory: 'score', ...routing })))).toMatchObject({
    problems: [],
    warnings: [],
  })
})

test('a flow with persistent memory may read values of the previous execution', () => {
  const steps = [prompt('a', { prompt: 'Go on from {{summary}}', output_to_memory: 'summary' })]
  expect(checkFlow(flow(...steps)).problems).toHaveLength(1)
  const remembers = { ...flow(...steps), global_configuration: { shared_memory_persistent: true } }
  expect(checkFlow(remembers)).toMatchObject({
    problems: [],
    warnings: [{ path: 'steps[0].prompt', code: 'earlier_execution' }],
  })
})

test('a name similar to an output key gets a suggestion', () => {
  const given = flow(
    prompt('a', { output_to_memory: 'analysis' }),
    prompt('b', { prompt: 'Use {{anlysis.text}}', dependencies: ['a'] }),
  )
  expect(checkFlow(given).warnings).toMatchObject([
    {
      path: 'steps[1].prompt',
      message:
        'no step writes "anlysis". Did you mean "analysis"? Otherwise executions must have it in their context.',
    },
  ])
})

test('alternatives may write the same key, at any distance from the decision', () => {
  const steps = [
    decide('gate', choose('a'), { default_action: choose('b') }),
    prompt('a'),
    prompt('a2', { dependencies: ['a'], output_to_memory: 'x' }),
    prompt('b', { output_to_memory: 'x' }),
  ]
  expect(checkFlow(flow(...steps)).warnings).toEqual([])
  const twins = [...steps, prompt('a3', { dependencies: ['a'], output_to_memory: 'x' })]
  expect(checkFlow(flow(...twins)).warnings).toMatchObject([{ path: 'steps[4].output_to_memory' }])
  const both = [...steps, prompt('c', { dependencies: ['gate'], output_to_memory: 'x' })]
  expect(checkFlow(flow(...both)).warnings).toMatchObject([{ path: 'steps[4].output_to_memory' }])
})
