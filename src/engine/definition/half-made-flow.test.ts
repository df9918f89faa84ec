import { expect, test } from 'vitest'
import { checkFlow } from './check-flow.ts'
import { stepTypes } from './step-types.ts'

type Place = readonly (string | number)[]

/** A flow with every field. */
const whole = {
  id: 'whole',
  label: 'Whole',
  description: 'Has everything.',
  version: '1.0.0',
  category: 'content',
  tags: ['review'],
  steps: [
    {
      id: 'ask',
      type: 'ai_prompt',
      label: 'Ask',
      prompt: 'Look at {{content}}',
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
        required_fields: ['score'],
        min_confidence: 0.5,
      },
      retry_config: { max_attempts: 3, retry_on_validation_failure: true },
      parallel_execution: true,
      error_handling: { on_failure: 'fallback', fallback_message: 'Nothing.' },
      agent_routing: true,
      routing_prompt: 'What next?',
      routing_options: {
        deep: {
          add_steps: ['dig'],
          condition: 'analysis.score < 50',
          continue_to: 'gate',
          reason: 'It is weak.',
        },
        plain: { condition: { field: 'analysis.score', operator: '>', value: 3 }, continue_to: 'gate' },
      },
      post_processing: [
        { operation: 'quality_check', checks: ['readability'], min_quality_score: 40 },
        { operation: 'format', format: 'html', include_toc: true, add_charts: false },
      ],
    },
    {
      id: 'dig',
      type: 'agent',
      agent: 'summarizer',
      agent_version: 1,
      input: '{{content}}',
      instructions: 'Briefly.',
      parameters: { target_language: 'de', count: 1, formal: true },
      ai_options: { model: 'builtin:text', temperature: 1, max_tokens: 40 },
    },
    {
      id: 'gate',
      type: 'conditional',
      dependencies: ['ask'],
      conditions: [
        {
          field: 'analysis.score',
          operator: '<',
          value: 70,
          action: { type: 'jump_to_step', target_step: 'call', reason: 'Good enough.' },
        },
      ],
      default_action: { type: 'continue', next_step: 'join' },
    },
    {
      id: 'join',
      type: 'data_transform',
      transformations: [
        { operation: 'merge', sources: ['analysis'], merge_strategy: 'deep', fields: ['score'] },
        { operation: 'calculate_metrics', calculation_method: 'sum', include_visualizations: true },
        { operation: 'generate_summary', template: 'In short: {{previous}}' },
      ],
    },
    {
      id: 'call',
      type: 'external_api',
      api: {
        url: 'https://cms.example/pages',
        method: 'POST',
        headers: { 'x-reason': 'review' },
        body: { text: '{{content}}' },
        timeout: '10s',
        retry_attempts: 2,
      },
    },
  ],
  global_configuration: {
    agent_routing_enabled: true,
    shared_memory_persistent: false,
    error_handling: {
      global_retry_attempts: 1,
      fallback_strategy: 'abort',
      notification_on_failure: true,
    },
    monitoring: {
      enable_detailed_logging: true,
      track_performance_metrics: true,
      capture_intermediate_results: true,
    },
    resource_limits: {
      max_execution_time: 300,
      max_memory_usage: '256MB',
      max_concurrent_ai_calls: 2,
    },
    cost_controls: { max_total_cost: 1.5, cost_alerts: [0.5, 1], auto_abort_on_budget_exceeded: true },
  },
}

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = [...at, Array.isArray(value) ? Number(key) : key]
    return [place, ...placesIn(inner, place)]
  })
}

function withAt(value: unknown, [first, ...rest]: Place, wanted: unknown): unknown {
  if (first === undefined) return wanted
  const inner = withAt((value as Record<string, unknown>)[first], rest, wanted)
  return Array.isArray(value)
    ? (value as unknown[]).with(Number(first), inner)
    : { ...(value as object), [first]: inner }
}

function write(place: Place): string {
  return place.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
}

const isPlain = (message: string): boolean =>
  !/NOT|[<>]=|must be (string|array|object|integer|boolean)/.test(message)

test('an invalid value in any field is reported at the field or next to it, in plain words', () => {
  expect(checkFlow(whole).problems).toEqual([])
  const places = placesIn(whole)
  expect(places.length).toBeGreaterThan(100)
  const astray = places.flatMap((place) =>
    [null, '', 0, -1, true, 'not one', [], {}].flatMap((value) => {
      const { problems, definition } = checkFlow(withAt(whole, place, value))
      expect(definition === undefined).toBe(problems.length > 0)
      // Other references to a step, a key or a field are reported at their own paths.
      const isAtHome = (path: string) => path.startsWith(write(place.slice(0, -1)))
      return problems
        .filter(
          ({ path, message, code }) =>
            (!isAtHome(path) && code !== 'unknown_step' && code !== 'not_before') ||
            (!isPlain(message) && code !== 'choice'),
        )
        .map(({ path, message }) => `${write(place)} = ${JSON.stringify(value)}: ${path} ${message}`)
    }),
  )
  expect(astray).toEqual([])
})

test('an incomplete step does not hide problems of other steps', () => {
  const given = {
    id: '',
    label: '',
    steps: [
      { id: 'a', type: 'ai_prompt' },
      null,
      { id: 'b', type: 'conditional', conditions: [] },
      { id: 'c', type: 'magic' },
      { id: 'd', type: 'external_api', api: { url: 'nowhere' }, dependencies: ['a', 'c', 'x'] },
      { id: 'a', type: 'data_transform', transformations: [{}] },
    ],
  }
  expect(checkFlow(given).problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
    'id must be up to 64 lower-case letters, digits, hyphens and underscores',
    'label must not be empty',
    'steps[0].prompt is required',
    'steps[1] must be an object',
    'steps[2].conditions must have at least one item',
    `steps[3].type must be one of ${stepTypes.join(', ')}`,
    'steps[5].transformations[0].operation is required',
    'steps[4].api.url must start with http:// or https:// and a host without placeholders',
    'steps[5].id "a" is the id of another step',
    'steps[4].dependencies[2] no step "x"',
  ])
})

test.each([
  [
    { routing_options: { 'not ok': null } },
    'steps[0].routing_options.not ok has a name that is not up to 64',
  ],
  [{ routing_options: { ok: { add_steps: 5 } } }, 'steps[0].routing_options.ok.add_steps must be an array'],
])('%j is reported and does not throw', (more, problem) => {
  const step = { id: 'a', type: 'ai_prompt', prompt: 'x', agent_routing: true, ...more }
  const [found] = checkFlow({ id: 'a', label: 'A', steps: [step] }).problems
  expect(`${found?.path} ${found?.message}`).toContain(problem)
})

test.each([
  [
    { type: 'external_api', api: { url: 'https://a.example', headers: { 'not ok': 'x' } } },
    'api.headers.not ok',
  ],
  [{ type: 'agent', agent: 'a', parameters: { '1st': 'x' } }, 'parameters.1st'],
])('an invalid name is reported: %j', (step, path) => {
  expect(checkFlow({ id: 'a', label: 'A', steps: [{ id: 'a', ...step }] }).problems).toMatchObject([
    { path: `steps[0].${path}`, code: 'name' },
  ])
})

test('problems in each of 500 steps are reported quickly', () => {
  const steps = Array.from({ length: 500 }, (_, index) => ({
    id: `s${index}`,
    type: 'ai_prompt',
    prompt: null,
  }))
  const before = process.cpuUsage()
  expect(checkFlow({ id: 'a', label: 'A', steps }).problems).toHaveLength(50)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
})
