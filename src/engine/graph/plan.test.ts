import { describe, expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { readGraph } from './graph.ts'
import { type Choice, createPlan, type Plan } from './plan.ts'

const prompt = (
  id: string,
  dependencies: string[] = [],
  more: Partial<Extract<Step, { type: 'ai_prompt' }>> = {},
): Step => ({
  id,
  type: 'ai_prompt',
  prompt: 'Say something.',
  dependencies,
  ...more,
})

/** A conditional that names these steps: the first by jumping, the others by continuing. */
const decide = (id: string, dependencies: string[], jump: string, ...next: string[]): Step => ({
  id,
  type: 'conditional',
  dependencies,
  conditions: [
    { field: 'score', operator: '<', value: 50, action: { type: 'jump_to_step', target_step: jump } },
    ...next.map((next_step) => ({
      field: 'score',
      operator: '>=' as const,
      value: 50,
      action: { type: 'continue' as const, next_step },
    })),
  ],
})

/** Runs every step that can run, with these choices, and returns the steps that ran and the skipped ones. */
function runThrough(steps: readonly Step[], choices: Readonly<Record<string, Choice>> = {}) {
  const plan = createPlan(readGraph(steps))
  const ran: string[] = []
  const skipped: Record<string, string> = {}
  for (let round = 0; round <= steps.length; round += 1) {
    const [id] = plan.ready()
    if (id === undefined) break
    plan.start(id)
    ran.push(id)
    for (const step of plan.finish(id, { failed: false, choice: choices[id] })) skipped[step.id] = step.reason
  }
  expect(plan.isFinished()).toBe(true)
  return { ran, skipped }
}

const readyAfterStarting = (plan: Plan, ...ids: string[]): readonly string[] => {
  for (const id of ids) plan.start(id)
  return plan.ready()
}

describe('the order of steps', () => {
  test('is that of their dependencies, then that of the definition', () => {
    const steps = [
      prompt('last', ['left', 'right']),
      prompt('right', ['first']),
      prompt('left', ['first']),
      prompt('first'),
    ]
    expect(runThrough(steps).ran).toEqual(['first', 'right', 'left', 'last'])
  })

  test('runs independent steps in parallel', () => {
    const plan = createPlan(readGraph([prompt('a'), prompt('b'), prompt('c', ['a'])]))
    expect(plan.ready()).toEqual(['a', 'b'])
    expect(readyAfterStarting(plan, 'a')).toEqual(['b'])
    plan.finish('a', { failed: false })
    expect(plan.ready()).toEqual(['b', 'c'])
  })

  test('starts an exclusive step when no step runs, and blocks the others until it ends', () => {
    const plan = createPlan(
      readGraph([prompt('a'), prompt('b', [], { parallel_execution: false }), prompt('c')]),
    )
    expect(plan.ready()).toEqual(['a'])
    expect(readyAfterStarting(plan, 'a')).toEqual([])
    plan.finish('a', { failed: false })
    expect(plan.ready()).toEqual(['b'])
    expect(readyAfterStarting(plan, 'b')).toEqual([])
    plan.finish('b', { failed: false })
    expect(plan.ready()).toEqual(['c'])
  })

  test('follows every edge once, however many paths lead through skipped steps', () => {
    const layers = Array.from({ length: 240 }, (_, layer) => {
      const before = layer === 0 ? ['gate'] : [`left_${layer - 1}`, `right_${layer - 1}`]
      return [prompt(`left_${layer}`, before), prompt(`right_${layer}`, before)]
    }).flat()
    const graph = readGraph([decide('gate', [], 'end'), ...layers, prompt('end')])
    const followed: string[] = []
    const next = (id: string) => {
      followed.push(id)
      return graph.next(id)
    }
    const plan = createPlan({ ...graph, next })
    plan.start('gate')
    expect(plan.finish('gate', { failed: false, choice: { kind: 'jump', target: 'end' } })).toHaveLength(480)
    expect(plan.ready()).toEqual(['end'])
    plan.finish('end', { failed: false })
    expect(plan.isFinished()).toBe(true)
    expect(followed.length).toBe(new Set(followed).size)
  })
})

describe('a conditional', () => {
  const branches = [
    prompt('analyse'),
    decide('gate', ['analyse'], 'improve', 'publish'),
    prompt('improve', ['gate']),
    prompt('publish', ['gate']),
    prompt('tell', ['improve', 'publish']),
  ]

  test('that continues with one step skips the others it names', () => {
    const { ran, skipped } = runThrough(branches, { gate: { kind: 'continue', next: 'publish' } })
    expect(ran).toEqual(['analyse', 'gate', 'publish', 'tell'])
    expect(skipped).toEqual({ improve: '"gate" chose another branch' })
  })

  test('that jumps skips all steps between', () => {
    const { ran, skipped } = runThrough(branches, { gate: { kind: 'jump', target: 'improve' } })
    expect(ran).toEqual(['analyse', 'gate', 'improve', 'tell'])
    expect(skipped).toEqual({ publish: '"gate" jumped to "improve"' })
  })

  test('that jumps to the end skips both branches', () => {
    const steps = [
      ...branches.slice(0, 1),
      decide('gate', ['analyse'], 'tell', 'publish'),
      ...branches.slice(2),
    ]
    const { ran, skipped } = runThrough(steps, { gate: { kind: 'jump', target: 'tell' } })
    expect(ran).toEqual(['analyse', 'gate', 'tell'])
    expect(Object.keys(skipped).sort()).toEqual(['improve', 'publish'])
  })

  test('that continues without a choice skips the steps it names', () => {
    const steps = [...branches, prompt('always', ['gate'])]
    const { ran } = runThrough(steps, { gate: { kind: 'continue' } })
    expect(ran).toEqual(['analyse', 'gate', 'always'])
  })

  test('that chose an earlier step also reaches a later named step along the edges between them', () => {
    const steps = [
      decide('gate', [], 'improve', 'publish'),
      prompt('improve', ['gate']),
      prompt('publish', ['improve']),
    ]
    expect(runThrough(steps, { gate: { kind: 'jump', target: 'improve' } }).ran).toEqual([
      'gate',
      'improve',
      'publish',
    ])
    expect(runThrough(steps, { gate: { kind: 'continue', next: 'publish' } }).ran).toEqual([
      'gate',
      'publish',
    ])
  })

  test('comes before the steps it names, even without dependencies', () => {
    const plan = createPlan(
      readGraph([decide('gate', ['analyse'], 'improve'), prompt('improve'), prompt('analyse')]),
    )
    expect(plan.ready()).toEqual(['analyse'])
  })
})

/** A step that may be skipped, and a step after it. */
const optional = (dependencies: string[]) => [
  prompt('analyse'),
  decide('gate', ['analyse'], 'improve'),
  prompt('improve', ['analyse', 'gate']),
  prompt('polish', dependencies),
]

describe('a step after a skipped step', () => {
  const goOn = { gate: { kind: 'continue' } } as const

  test('is skipped when it depends only on the skipped step', () => {
    const { ran, skipped } = runThrough(optional(['improve']), goOn)
    expect(ran).toEqual(['analyse', 'gate'])
    expect(skipped).toEqual({
      improve: '"gate" chose another branch',
      polish: 'the step before it was skipped',
    })
  })

  test('is skipped when its other dependencies come before the skipped step', () => {
    expect(runThrough(optional(['analyse', 'improve']), goOn).ran).toEqual(['analyse', 'gate'])
  })

  test('runs when it depends on the decision itself', () => {
    expect(runThrough(optional(['gate', 'improve']), goOn).ran).toEqual(['analyse', 'gate', 'polish'])
  })
})

describe('a routing step', () => {
  const steps = [
    prompt('triage', [], {
      agent_routing: true,
      routing_options: {
        deep: { add_steps: ['research', 'facts'], continue_to: 'report' },
        quick: { continue_to: 'note' },
      },
    }),
    prompt('report', ['triage']),
    prompt('note', ['triage']),
    prompt('research'),
    prompt('facts', ['research']),
  ]

  test('adds dormant steps before the step it continues with', () => {
    const { ran, skipped } = runThrough(steps, {
      triage: { kind: 'route', added: ['research', 'facts'], next: 'report' },
    })
    expect(ran).toEqual(['triage', 'research', 'facts', 'report'])
    expect(skipped).toEqual({ note: '"triage" chose another branch' })
  })

  test('leaves dormant steps skipped when it adds none', () => {
    const { ran, skipped } = runThrough(steps, { triage: { kind: 'route', added: [], next: 'note' } })
    expect(ran).toEqual(['triage', 'note'])
    expect(skipped['research']).toBe('no routing decision added it')
    expect(skipped['facts']).toBe('no routing decision added it')
  })

  test.each([
    ['no step decided', undefined],
    ['routing chose no step', { kind: 'route', added: [] } as const],
  ])('continues along the edges when %s', (_name, choice) => {
    const { ran, skipped } = runThrough(steps, choice === undefined ? {} : { triage: choice })
    expect(ran).toEqual(['triage', 'report', 'note'])
    expect(Object.keys(skipped)).toEqual(['research', 'facts'])
  })
})

test('a failed step with on_failure "continue" leads on like a completed one', () => {
  const plan = createPlan(readGraph([prompt('a'), prompt('b', ['a'])]))
  plan.start('a')
  expect(plan.finish('a', { failed: true })).toEqual([])
  expect(plan.stateOf('a')).toBe('failed')
  expect(plan.ready()).toEqual(['b'])
})

describe('on_error', () => {
  const steps = [
    prompt('call', [], { on_error: 'handle' }),
    prompt('use', ['call']),
    prompt('handle'),
    prompt('end', ['use', 'handle']),
    prompt('aside', ['call', 'handle']),
  ]

  test('leads to the handler when the step fails, and skips the steps between', () => {
    const plan = createPlan(readGraph(steps))
    expect(plan.ready()).toEqual(['call'])
    plan.start('call')
    const skipped = plan.finish('call', { failed: true, choice: { kind: 'jump', target: 'handle' } })
    expect(skipped).toEqual([{ id: 'use', reason: '"call" jumped to "handle"' }])
    expect(plan.ready()).toEqual(['handle'])
    plan.start('handle')
    plan.finish('handle', { failed: false })
    expect(plan.ready()).toEqual(['end', 'aside'])
  })

  test('skips the handler when the step succeeds; steps after both branches run', () => {
    const { ran, skipped } = runThrough(steps)
    expect(ran).toEqual(['call', 'use', 'end', 'aside'])
    expect(skipped).toEqual({ handle: '"call" chose another branch' })
  })

  test('skips a handler that depends on the step, also when the step routes without a choice', () => {
    const routing = prompt('call', [], {
      on_error: 'handle',
      agent_routing: true,
      routing_options: { more: { add_steps: ['extra'] }, none: {} },
    })
    const given = [routing, prompt('extra'), prompt('handle', ['call']), prompt('use', ['call'])]
    expect(runThrough(given, { call: { kind: 'route', added: [] } }).ran).toEqual(['call', 'use'])
    expect(runThrough([prompt('call', [], { on_error: 'handle' }), prompt('handle', ['call'])]).ran).toEqual([
      'call',
    ])
  })
})
