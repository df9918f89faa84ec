import { describe, expect, test } from 'vitest'
import { checkFlow } from './check-flow.ts'
import { redactCredentials, warnAboutCredentials } from './credentials.ts'
import type { FlowDefinition } from './flow.ts'

type Parts = Record<string, unknown>

const prompt = (id: string, text = 'Say something.', more: Parts = {}): Parts => ({
  id,
  type: 'ai_prompt',
  prompt: text,
  ...more,
})
const loop = (id: string, steps: readonly unknown[], more: Parts = {}): Parts => ({
  id,
  type: 'for_each',
  items: 'rows',
  steps,
  ...more,
})
const flow = (...steps: unknown[]): Parts => ({ id: 'review', label: 'Review', steps })
const told = (...steps: unknown[]): string[] =>
  checkFlow(flow(...steps)).problems.map(({ path, message }) => `${path} ${message}`)

const many = (name: string) => Array.from({ length: 300 }, (_, index) => prompt(`${name}${index}`))

describe('steps inside a container', () => {
  test('are checked against their own kind, with their place', () => {
    const inner = [prompt('a'), { id: 'b', type: 'external_api', api: { url: 'x' } }, { id: 'c' }]
    expect(told(prompt('first'), loop('each', inner))).toEqual([
      'steps[1].steps[2].type is required',
      'steps[1].steps[1].api.url must start with http:// or https:// and a host without placeholders',
    ])
  })

  test('read their item, steps beside them, and earlier steps outside', () => {
    const inner = [
      prompt('a', '{{item.name}} {{index}} {{steps.first}} {{made}}', { output_to_memory: 'inner' }),
      prompt('b', '{{inner}} {{steps.a}}', { dependencies: ['a'] }),
    ]
    const first = prompt('first', 'x', { output_to_memory: 'made' })
    const checked = checkFlow(
      flow(first, loop('each', inner, { dependencies: ['first'], result: '{{steps.b}}' })),
    )
    expect(checked).toMatchObject({ problems: [], warnings: [], requiredInputs: ['rows'] })
  })

  test('cannot read what may come later, or their own container', () => {
    expect(told(prompt('late'), loop('each', [prompt('a', '{{steps.late}}')]))).toEqual([
      'steps[1].steps[0].prompt Step "late" may not have ended by then; add it to dependencies.',
    ])
    expect(told(loop('each', [prompt('a', '{{steps.each}}')]))).toEqual([
      'steps[0].steps[0].prompt Step "each" may not have ended by then; add it to dependencies.',
    ])
  })

  test('are hidden from steps outside', () => {
    const inner = [prompt('a', 'x', { output_to_memory: 'made' })]
    const after = (text: string) => prompt('after', text, { dependencies: ['each'] })
    const only = 'exists only inside "each"; read the output of "each"'
    expect(told(loop('each', inner), after('{{steps.a}}'))).toEqual([`steps[1].prompt "steps.a" ${only}`])
    expect(told(loop('each', inner), after('{{made}}'))).toEqual([`steps[1].prompt "made" ${only}`])
    expect(told(loop('each', inner), after('{{steps.each.results}}'))).toEqual([])
  })

  test('name only steps beside them', () => {
    const inner = [prompt('a', 'x', { dependencies: ['first'] })]
    expect(told(prompt('first'), loop('each', inner))).toEqual([
      'steps[1].steps[0].dependencies[0] "first" is outside of this container; a step can only name steps beside it',
    ])
    expect(told(loop('each', [prompt('a')]), prompt('b', 'x', { dependencies: ['a'] }))).toEqual([
      'steps[1].dependencies[0] "a" is inside "each"; name "each", or a step beside this one',
    ])
    const circle = [prompt('a', 'x', { dependencies: ['b'] }), prompt('b', 'x', { dependencies: ['a'] })]
    expect(told(loop('each', circle))[0]).toContain('steps[0].steps[0] is part of a cycle')
  })

  test('have ids of their own in the whole flow', () => {
    expect(told(prompt('a'), loop('each', [prompt('a')]))).toEqual([
      'steps[1].steps[0].id "a" is the id of another step',
    ])
  })

  test('are at most three containers deep, and 500 with all others', () => {
    const nest = (depth: number): Parts => loop(`each${depth}`, [depth === 1 ? prompt('a') : nest(depth - 1)])
    expect(told(nest(3))).toEqual([])
    expect(told(nest(4))).toEqual([
      'steps[0].steps[0].steps[0].steps[0].steps is inside more than 3 containers; move some steps out of them',
    ])
    expect(told(loop('one', many('a')), loop('two', many('b')))).toEqual([
      'steps has 602 steps with those inside containers; at most 500 are allowed',
    ])
  })

  test('hide no credential: it is redacted and reported with its place', () => {
    const call = {
      id: 'call',
      type: 'external_api',
      api: { url: 'https://example.com/', headers: { authorization: 'Bearer abc' } },
    }
    const definition = flow(loop('each', [call])) as unknown as FlowDefinition
    expect(JSON.stringify(redactCredentials(definition))).not.toContain('Bearer abc')
    expect(warnAboutCredentials(definition)).toMatchObject([
      { path: 'steps[0].steps[0].api.headers.authorization', code: 'literal_credential' },
    ])
  })
})

describe('for_each', () => {
  const one = [prompt('a')]

  test('takes one path or one placeholder', () => {
    expect(told(loop('each', one, { items: '{{context.rows}}' }))).toEqual([])
    expect(told(loop('each', one, { items: 'rows: {{rows}}' }))).toEqual([
      'steps[0].items must be one path or one placeholder, because a text around it makes no list',
    ])
  })

  test('refuses fields without an effect', () => {
    const useless = { retry_config: { max_attempts: 2 }, validation: { min_length: 1 } }
    expect(told(loop('each', one, { ...useless, keep_results: false, result: 'x', as: 'index' }))).toEqual([
      'steps[0].retry_config has no effect on "for_each"; its steps have their own',
      'steps[0].validation has no effect on "for_each"; its steps have their own',
      'steps[0].as must not be "index", the position of the item',
      'steps[0].result has no effect while keep_results is false',
    ])
  })
})

const repeat = (steps: readonly unknown[], more: Parts = {}): Parts => ({
  id: 'loop',
  type: 'repeat_until',
  max_iterations: 3,
  until: { field: 'steps.a', operator: 'exists' },
  steps,
  ...more,
})

describe('repeat_until', () => {
  test('its steps read the result before, and its condition the steps inside', () => {
    const inner = [prompt('a', '{{previous ?? ""}} {{index}}', { output_to_memory: 'text' })]
    const until = {
      all: [{ expression: 'size(text) > 3 && previous != "x"' }, { not: { expression: 'false' } }],
    }
    const checked = checkFlow(flow(repeat(inner, { until, result: '{{text}} {{= text + "!" }}' })))
    expect(checked).toMatchObject({ problems: [], warnings: [], requiredInputs: [] })
  })

  test('a bad condition, bound or result is refused with its place', () => {
    expect(told(repeat([prompt('a')], { until: { field: 'x' }, result: '{{= size( }}' }))).toEqual([
      'steps[0].until.operator is required',
      expect.stringMatching(/^steps\[0\]\.result /),
    ])
    expect(told(repeat([prompt('a')], { max_iterations: 1001 }))).toEqual([
      'steps[0].max_iterations must be at most 1000',
    ])
    expect(told(repeat([prompt('a')], { until: { field: 'steps.b', operator: 'exists' } }))).toEqual([
      'steps[0].until.field no step "b"',
    ])
    expect(told(repeat([prompt('a')], { max_iterations: 1, delay: '5s' }))).toEqual([
      'steps[0].delay has no effect with one iteration',
    ])
  })
})
