import { expect, test } from 'vitest'
import { checkFlow } from './check-flow.ts'

const prompt = (id: string, dependencies: string[] = [], more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: 'x',
  dependencies,
  ...more,
})
const jump = (target_step: string) => ({ type: 'jump_to_step', target_step })
const gate = (id: string, actions: object[], default_action?: object) => ({
  id,
  type: 'conditional',
  conditions: actions.map((action, value) => ({ field: 'content', operator: '==', value, action })),
  ...(default_action !== undefined && { default_action }),
})

function unreachable(steps: object[], more: object = {}): string[] {
  const { problems, warnings } = checkFlow({ id: 'f', label: 'F', steps, ...more })
  expect(problems).toEqual([])
  return warnings
    .filter(({ code }) => code === 'unreachable')
    .map(({ path, message }) => `${path} ${message}`)
}

test('a step that every action jumps past can never run, nor can steps that depend only on it', () => {
  const steps = [
    gate('gate', [jump('end')], jump('end')),
    prompt('between', ['gate']),
    prompt('after', ['between']),
    prompt('end', ['after']),
  ]
  expect(unreachable(steps)).toEqual([
    'steps[1] "between" can never run: nothing that can run leads to it',
    'steps[2] "after" can never run: nothing that can run leads to it',
  ])
})

test('a decision that may continue reaches every step', () => {
  expect(
    unreachable([gate('gate', [jump('end')]), prompt('between', ['gate']), prompt('end', ['between'])]),
  ).toEqual([])
})

test('steps that only agents add cannot run when routing is off', () => {
  const steps = [
    prompt('route', [], {
      agent_routing: true,
      routing_options: {
        deep: { add_steps: ['research'], continue_to: 'end' },
        plain: { continue_to: 'end' },
      },
    }),
    prompt('research'),
    prompt('end', ['route']),
  ]
  expect(unreachable(steps)).toEqual([])
  expect(unreachable(steps, { global_configuration: { agent_routing_enabled: false } })[0]).toBe(
    'steps[1] "research" can never run: only agents choose it, and agent_routing_enabled is false',
  )
})
