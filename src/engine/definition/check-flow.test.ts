import { describe, expect, test } from 'vitest'
import { checkFlow } from './check-flow.ts'
import { stepTypes } from './step-types.ts'

type Parts = Record<string, unknown>

const prompt = (id: string, more: Parts = {}): Parts => ({
  id,
  type: 'ai_prompt',
  prompt: 'Say something.',
  ...more,
})
const transform = (id: string, more: Parts = {}): Parts => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', ...more }],
})
const decide = (id: string, action: Parts, more: Parts = {}): Parts => ({
  id,
  type: 'conditional',
  conditions: [{ field: 'score', operator: '<', value: 70, action }],
  ...more,
})
const call = (id: string, api: Parts): Parts => ({ id, type: 'external_api', api })
const flow = (...steps: unknown[]): Parts => ({ id: 'review', label: 'Review', steps })

/** The problems as messages with their paths. */
const told = (given: unknown): string[] =>
  checkFlow(given).problems.map(({ path, message }) => `${path} ${message}`)

test('a flow with every field is accepted unchanged', () => {
  const given = {
    id: 'content_review',
    label: 'Content review',
    description: 'Looks at a text.',
    version: '1.0.0',
    category: 'content',
    tags: ['review'],
    steps: [
      prompt('analyse', {
        label: 'Analyse',
        prompt: 'Analyse: {{content}} for {{metadata.language}}',
        ai_options: {
          model: 'builtin:text',
          temperature: 0.2,
          max_tokens: 500,
          system_prompt: 'You are exact.',
        },
        output_to_memory: 'analysis',
        validation: {
          min_length: 10,
          required_sections: ['Summary'],
          quality_threshold: 0.7,
          min_confidence: 0.5,
        },
        retry_config: { max_attempts: 3, retry_on_validation_failure: true },
        agent_routing: true,
        routing_prompt: 'Given {{analysis}}, what next?',
        routing_options: {
          deep: {
            add_steps: ['research'],
            condition: 'analysis.score < 50',
            continue_to: 'gate',
            reason: 'It is weak.',
          },
          plain: { continue_to: 'gate' },
        },
        post_processing: [{ operation: 'quality_check', checks: ['readability'], min_quality_score: 40 }],
      }),
      prompt('research', {
        parallel_execution: false,
        error_handling: { on_failure: 'fallback', fallback_message: 'Nothing.' },
      }),
      decide(
        'gate',
        { type: 'jump_to_step', target_step: 'publish', reason: 'Good enough.' },
        {
          dependencies: ['analyse'],
          default_action: { type: 'continue', next_step: 'improve' },
        },
      ),
      prompt('improve', {
        dependencies: ['gate'],
        prompt: 'Improve {{analysis.summary}}',
        output_to_memory: 'better',
      }),
      transform('join', { sources: ['analysis', 'better'], merge_strategy: 'deep' }),
      call('publish', {
        url: 'https://cms.example/pages/{{metadata.id}}',
        method: 'POST',
        body: { text: '{{content}}' },
        timeout: '10s',
      }),
    ],
    global_configuration: {
      agent_routing_enabled: true,
      resource_limits: { max_execution_time: 300, max_memory_usage: '256MB', max_concurrent_ai_calls: 2 },
      cost_controls: { max_total_cost: 1.5, cost_alerts: [0.5, 1], auto_abort_on_budget_exceeded: true },
    },
  }
  const joined = given.steps[4] as { dependencies?: string[] }
  joined.dependencies = ['improve']
  expect(checkFlow(given)).toMatchObject({
    problems: [],
    warnings: [],
    requiredInputs: [],
    definition: given,
  })
})

describe('a flow is refused with the path and the reason', () => {
  test.each<[string, unknown, string]>([
    ['without steps', { id: 'a', label: 'A', steps: [] }, 'steps must have at least one item'],
    ['with an unknown field', { ...flow(prompt('a')), color: 'red' }, 'color is not a known field'],
    [
      'with an id that is none',
      { ...flow(prompt('a')), id: 'No good' },
      'id must be up to 64 lower-case letters, digits, hyphens and underscores',
    ],
    ['with a step that is none', flow('first'), 'steps[0] must be an object'],
    [
      'with an unknown type',
      flow({ id: 'a', type: 'magic' }),
      `steps[0].type must be one of ${stepTypes.join(', ')}`,
    ],
    ['with a field of another type', flow({ ...prompt('a'), api: {} }), 'steps[0].api is not a known field'],
    ['without a prompt', flow({ id: 'a', type: 'ai_prompt' }), 'steps[0].prompt is required'],
    ['with two steps of one id', flow(prompt('a'), prompt('a')), 'steps[1].id "a" is the id of another step'],
    [
      'with an unknown dependency',
      flow(prompt('a', { dependencies: ['x'] })),
      'steps[0].dependencies[0] no step "x"',
    ],
    [
      'with a step that waits for itself',
      flow(prompt('a', { dependencies: ['a'] })),
      'steps[0].dependencies[0] "a" is the step itself',
    ],
    [
      'with a jump nowhere',
      flow(prompt('a'), prompt('b'), decide('c', { type: 'jump_to_step', target_step: 'x' })),
      'steps[2].conditions[0].action.target_step no step "x"',
    ],
    [
      'with a jump back',
      flow(prompt('a'), decide('c', { type: 'jump_to_step', target_step: 'a' }, { dependencies: ['a'] })),
      'steps[0] is part of a cycle: "a" → "c" → "a". Steps cannot depend on themselves.',
    ],
    [
      'with a circle',
      flow(
        prompt('a', { dependencies: ['c'] }),
        prompt('b', { dependencies: ['a'] }),
        prompt('c', { dependencies: ['b'] }),
      ),
      'steps[0] is part of a cycle: "a" → "b" → "c" → "a". Steps cannot depend on themselves.',
    ],
    [
      'with a jump without a target',
      flow(decide('c', { type: 'jump_to_step' })),
      'steps[0].conditions[0].action.target_step is required with "jump_to_step"',
    ],
    [
      'with a target that has no effect',
      flow(prompt('a'), decide('c', { type: 'continue', target_step: 'a' })),
      'steps[1].conditions[0].action.target_step has no effect on "continue"; it has next_step',
    ],
    [
      'with routing that nothing chooses from',
      flow(prompt('a', { agent_routing: true })),
      'steps[0].routing_options is required with agent_routing: there is no option to choose',
    ],
    [
      'with routing that is off',
      flow(prompt('a', { routing_options: { x: {} } })),
      'steps[0].routing_options has no effect without agent_routing: true',
    ],
    [
      'with a routing condition that is none',
      flow(prompt('a', { agent_routing: true, routing_options: { x: { condition: 'whenever' } } })),
      'steps[0].routing_options.x.condition is not a condition such as "analysis.score < 70"',
    ],
    [
      'with a fallback that says nothing',
      flow(prompt('a', { error_handling: { on_failure: 'fallback' } })),
      'steps[0].error_handling.fallback_message is required when on_failure is "fallback"',
    ],
    [
      'with another provider for a step that has none',
      flow({ ...transform('a'), error_handling: { on_failure: 'retry_with_different_provider' } }),
      'steps[0].error_handling.on_failure is only for steps that call a model, which a step of type data_transform does not',
    ],
    [
      'with a host that is filled in',
      flow(call('a', { url: 'https://{{content}}/x' })),
      'steps[0].api.url must start with http:// or https:// and a host without placeholders',
    ],
    [
      'with a body that has no effect',
      flow(call('a', { url: 'https://a.example', method: 'GET', body: {} })),
      'steps[0].api.body has no effect on GET',
    ],
    [
      'with a method of summaries for a merge',
      flow(transform('a', { template: 'x' })),
      'steps[0].transformations[0].template has no effect on "merge"',
    ],
    [
      'with a list that is none',
      flow({
        ...decide('c', { type: 'continue' }),
        conditions: [{ field: 'x', operator: 'in', value: 1, action: { type: 'continue' } }],
      }),
      'steps[0].conditions[0].value must be a list with "in"',
    ],
    [
      'with a placeholder that is none',
      flow(prompt('a', { prompt: 'Say {{ a..b }}' })),
      'steps[0].prompt "{{a..b}}" is not a path such as {{analysis.score}}',
    ],
    [
      'with what a later step makes',
      flow(prompt('a', { prompt: 'Use {{later}}' }), prompt('b', { output_to_memory: 'later' })),
      'steps[0].prompt "later" is written by "b". Step "b" may not have ended by then; add it to dependencies.',
    ],
    [
      'with the output of a step there is not',
      flow(prompt('a', { prompt: 'Use {{steps.x.text}}' })),
      'steps[0].prompt no step "x"',
    ],
    [
      'with a condition on what need not be there yet',
      flow(prompt('a', { output_to_memory: 'score' }), decide('c', { type: 'continue' })),
      'steps[1].conditions[0].field "score" is written by "a". Step "a" may not have ended by then; add it to dependencies.',
    ],
    [
      'with a routing condition on a step there is not',
      flow(prompt('a', { agent_routing: true, routing_options: { x: { condition: 'steps.b.score < 5' } } })),
      'steps[0].routing_options.x.condition no step "b"',
    ],
    [
      'with a later output deep inside a body',
      flow(
        call('a', { url: 'https://a.example', method: 'POST', body: { items: [{ text: '{{later}}' }] } }),
        prompt('b', { output_to_memory: 'later' }),
      ),
      'steps[0].api.body.items[0].text "later" is written by "b". Step "b" may not have ended by then; add it to dependencies.',
    ],
    [
      'with a circle that the first step only leads to',
      flow(
        prompt('start'),
        prompt('a', { dependencies: ['start', 'b'] }),
        prompt('b', { dependencies: ['a'] }),
      ),
      'steps[1] is part of a cycle: "a" → "b" → "a". Steps cannot depend on themselves.',
    ],
    [
      'with a duration that is none',
      { ...flow(prompt('a')), global_configuration: { resource_limits: { max_execution_time: 'soon' } } },
      'global_configuration.resource_limits.max_execution_time must be a number and ms, s, m or h, such as 30s, and at most 168h (7 days)',
    ],
    [
      'with no time at all',
      { ...flow(prompt('a')), global_configuration: { resource_limits: { max_execution_time: '0s' } } },
      'global_configuration.resource_limits.max_execution_time must be a number and ms, s, m or h, such as 30s, and at most 168h (7 days)',
    ],
  ])('%s', (_name, given, problem) => {
    expect(told(given)).toContain(problem)
    expect(checkFlow(given).definition).toBeUndefined()
  })

  test('a value that is not an object is refused', () => {
    for (const given of [undefined, null, 1, 'x', [], {}, { steps: {} }]) expect(told(given)).not.toEqual([])
  })
})

test('a chain of 500 steps is checked quickly', () => {
  const steps = Array.from({ length: 500 }, (_, index) =>
    prompt(`s${index}`, index === 0 ? {} : { dependencies: [`s${index - 1}`] }),
  )
  const before = process.cpuUsage()
  expect(checkFlow(flow(...steps)).problems).toEqual([])
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
})

test('a flow built to be slow is checked quickly', () => {
  const names = Array.from({ length: 9000 }, (_, index) => `{{value_numbr_${index}}}`)
  const steps = [
    ...Array.from({ length: 400 }, (_, index) =>
      prompt(`s${index}`, { output_to_memory: `value_number_${index}` }),
    ),
    ...names
      .reduce<string[]>((texts, name, index) => {
        const place = index % 5
        texts[place] = `${texts[place] ?? ''}${name}`
        return texts
      }, [])
      .map((text, index) => prompt(`long${index}`, { prompt: text })),
  ]
  const before = process.cpuUsage()
  expect(checkFlow(flow(...steps)).requiredInputs).toHaveLength(9000)
  // Comparing every name with every key took half a minute.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
})

const handled = (more: Parts = {}) => prompt('call', { on_error: 'handle', ...more })
const toldWith = (on_failure: string) =>
  told(flow(handled({ error_handling: { on_failure } }), prompt('handle')))

describe('on_error', () => {
  test('names another step of the flow, which can run', () => {
    expect(
      checkFlow(flow(handled(), prompt('use', { dependencies: ['call'] }), prompt('handle'))),
    ).toMatchObject({
      problems: [],
      warnings: [],
    })
    expect(told(flow(handled()))).toEqual(['steps[0].on_error no step "handle"'])
    expect(told(flow(prompt('call', { on_error: 'call' })))).toEqual([
      'steps[0].on_error "call" is the step itself',
    ])
    expect(told(flow(handled({ dependencies: ['handle'] }), prompt('handle')))).toEqual([
      'steps[0] is part of a cycle: "call" → "handle" → "call". Steps cannot depend on themselves.',
    ])
  })

  test('is reachable even when agents do not choose', () => {
    const given = flow(
      handled({ agent_routing: true, routing_options: { a: { continue_to: 'use' } } }),
      prompt('use'),
      prompt('handle'),
    )
    const { warnings } = checkFlow({ ...given, global_configuration: { agent_routing_enabled: false } })
    expect(warnings.map(({ path }) => path)).toEqual(['steps[1]'])
  })

  test('excludes the other ways to go on after a failure, except another provider', () => {
    expect(toldWith('continue')).toEqual([
      'steps[0].error_handling.on_failure has no effect: on_error continues with "handle". Remove one of them.',
    ])
    expect(toldWith('retry_with_different_provider')).toEqual([])
  })

  test('only errors of handled steps before it can be read', () => {
    const read = (path: string, more: Parts = {}) =>
      told(flow(handled(), prompt('handle', { prompt: `Look: {{${path}}}`, ...more }), prompt('plain')))
    expect(read('errors.call.code')).toEqual([])
    expect(read('errors.plain.code')).toEqual([
      'steps[1].prompt no step "plain" with on_error, whose error could be read',
    ])
    const before = flow(prompt('early', { prompt: '{{errors.call.code}}' }), handled(), prompt('handle'))
    expect(told(before)).toEqual([
      'steps[0].prompt Step "call" may not have ended by then; add it to dependencies.',
    ])
  })

  test('a flow without it may have errors in its context', () => {
    expect(checkFlow(flow(prompt('a', { prompt: '{{errors.count}}' }))).requiredInputs).toEqual([
      'errors.count',
    ])
  })
})
