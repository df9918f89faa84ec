import { describe, expect, test } from 'vitest'
import { beginningOf } from './beginning.ts'
import { canShow } from './can-show.ts'
import { fieldAt, withoutAt } from './field-at.ts'
import { describeBounds, titleOf, usualFlag } from './field-words.ts'
import { fieldsOfStep } from './form-fields.ts'
import { isWithin, pathText } from './path-text.ts'

const prompt = fieldsOfStep('ai_prompt')
const conditional = fieldsOfStep('conditional')

describe('a removed value', () => {
  test('removes the groups and lists it leaves empty', () => {
    expect(withoutAt(prompt, { prompt: 'x', ai_options: { model: 'm' } }, ['ai_options', 'model'])).toEqual({
      prompt: 'x',
    })
    expect(
      withoutAt(prompt, { routing_options: { a: { add_steps: ['b'] } } }, [
        'routing_options',
        'a',
        'add_steps',
        0,
      ]),
    ).toEqual({ routing_options: { a: {} } })
  })

  test('keeps required fields', () => {
    expect(
      withoutAt(conditional, { conditions: [{ action: { type: 'continue' } }] }, [
        'conditions',
        0,
        'action',
        'type',
      ]),
    ).toEqual({ conditions: [{ action: {} }] })
    expect(withoutAt(conditional, { conditions: [{}] }, ['conditions', 0])).toEqual({ conditions: [] })
  })
})

test('a new entry has its required fields only', () => {
  const shape = fieldAt(conditional, ['conditions', 0])?.shape
  expect(shape && beginningOf(shape)).toEqual({ field: '', operator: '>=', action: { type: 'continue' } })
})

test('values that a field cannot show are detected', () => {
  expect(canShow({ kind: 'number', isWhole: true }, 'on the way')).toBe(true)
  expect(canShow({ kind: 'text' }, 3)).toBe(false)
  expect(canShow({ kind: 'list', entry: { kind: 'text' } }, ['two\nlines'])).toBe(false)
  expect(canShow({ kind: 'record', entry: { kind: 'text' } }, [])).toBe(false)
})

test('names, bounds and defaults are described in words', () => {
  expect(titleOf('output_to_memory')).toBe('Output to memory')
  expect(titleOf('ai_options')).toBe('AI options')
  expect(describeBounds({ kind: 'number', isWhole: false, least: 0, most: 2 }, undefined)).toBe(
    'A number from 0 to 2.',
  )
  expect(describeBounds({ kind: 'text', most: 10 }, 'short')).toBe('')
  expect(describeBounds({ kind: 'text', most: 10 }, 'quite long')).toBe('10 of at most 10 characters.')
  expect(usualFlag({ description: 'Whether. Default: true.' })).toBe(true)
  expect(usualFlag({ description: 'Whether.' })).toBeUndefined()
})

test('paths are written like those of the server', () => {
  expect(pathText(['conditions', 0, 'action', 'target_step'])).toBe('conditions[0].action.target_step')
  expect(isWithin('tags[2]', 'tags')).toBe(true)
  expect(isWithin('tags_of', 'tags')).toBe(false)
})
