import { describe, expect, test } from 'vitest'
import { compositionOf, optionalSteps } from './composition.ts'
import { callOut, prompt, sampleFlow } from './sample-flows.ts'

describe('the composition of a flow', () => {
  test('has the steps by type, and the critical steps', () => {
    const routing = {
      agent_routing: true,
      routing_options: { deep: { add_steps: ['extra'] } },
    }
    const steps = [
      prompt('write', routing),
      prompt('extra'),
      callOut('send', { error_handling: { on_failure: 'continue' } }),
      callOut('store'),
    ]
    expect(compositionOf(sampleFlow('flow', { flow: { steps } }))).toEqual({
      total_steps: 4,
      ai_steps: 2,
      conditional_steps: 0,
      api_steps: 2,
      transform_steps: 0,
      critical_steps: ['write', 'store'],
    })
    expect(optionalSteps(steps)).toEqual(['extra'])
  })

  test('has the steps inside containers', () => {
    const each = {
      id: 'each',
      type: 'for_each' as const,
      items: 'rows',
      steps: [prompt('write'), callOut('send')],
    }
    expect(compositionOf(sampleFlow('flow', { flow: { steps: [each] } }))).toMatchObject({
      total_steps: 3,
      ai_steps: 1,
      api_steps: 1,
      critical_steps: ['each'],
    })
  })
})
