import { describe, expect, test } from 'vitest'
import { readCode, writeCode } from './read-code.ts'

const problemIn = (text: string) => {
  const read = readCode(text)
  return 'mistake' in read ? read.mistake.problem : undefined
}

describe('code', () => {
  test('is read as the flow that it says, right or wrong', () => {
    const definition = {
      id: 'x',
      label: '',
      steps: [{ id: 'a', type: 'nonsense', prompt: 7 }],
      problem: 'none',
    }
    expect(readCode(writeCode(definition))).toEqual({ definition })
    expect(readCode('{}')).toEqual({ definition: { id: '', label: '', steps: [] } })
  })

  test('that is no JSON says in which line', () => {
    expect(problemIn('{\n  "id": "x"\n  "label": ""\n}')).toBe(
      'Line 3: a comma or } is missing before "label".',
    )
    expect(problemIn('')).toBe('Line 1: the text ends where a value is missing.')
    expect(problemIn('{\n')).toBe('Line 1: the text ends before a } that is missing.')
  })

  test('that cannot be edited as steps says why and where', () => {
    expect(problemIn('[]')).toBe('Line 1: A flow is an object, in braces.')
    expect(problemIn('{\n"steps": 1}')).toBe('Line 2: steps must be a list.')
    expect(problemIn('{\n"steps": [\n{"id": "a", "type": "b"},\n{"id": "a", "type": "b"}]}')).toBe(
      'Line 4: steps[1].id: there are two steps "a".',
    )
    expect(problemIn('{"steps": [\n{"id": "a"}]}')).toBe('Line 2: steps[0].type must be a text.')
  })

  test('tells a mistake at a place that the text has', () => {
    for (const text of ['', '{', '{"a"', '[]', '{"id": 1}', '{} x']) {
      const read = readCode(text)
      if (!('mistake' in read)) throw new Error(`no mistake in ${text}`)
      const { from, to } = read.mistake
      expect(from).toBeLessThanOrEqual(to)
      expect(to).toBeLessThanOrEqual(text.length)
    }
  })
})
