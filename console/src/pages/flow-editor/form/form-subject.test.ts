import { describe, expect, test } from 'vitest'
import { stepIn } from '../document/flow-document.ts'
import { changeStepType, typeTitle } from './form-subject.ts'
import { stepTypes } from './schema/form-fields.ts'

describe('a step that changes its type', () => {
  const document = {
    definition: {
      id: 'flow',
      label: '',
      steps: [
        {
          id: 'ask',
          type: 'ai_prompt',
          label: 'Ask',
          prompt: 'x',
          dependencies: ['a'],
          ai_options: { model: 'm' },
        },
      ],
    },
    metadata: {},
  }

  test('keeps the fields of the new type, and gets its required ones', () => {
    expect(stepIn(changeStepType(document, 'ask', 'conditional'), 'ask')).toMatchObject({
      label: 'Ask',
      dependencies: ['a'],
      type: 'conditional',
      conditions: [{ operator: 'exists' }],
    })
    const agent = stepIn(changeStepType(document, 'ask', 'agent'), 'ask')
    expect(agent).toMatchObject({ type: 'agent', ai_options: { model: 'm' } })
    expect(agent).not.toHaveProperty('prompt')
  })

  test('stays the same without a change, and every type has a name', () => {
    expect(changeStepType(document, 'ask', 'ai_prompt')).toBe(document)
    expect(changeStepType(document, 'none', 'agent')).toBe(document)
    expect(stepTypes.map(typeTitle)).not.toEqual(expect.arrayContaining([...stepTypes]))
    expect(stepTypes.filter((type) => typeTitle(type) === type)).toEqual([])
  })
})
