import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { type Code, findPlace, stepAt } from './json-tree.ts'

function codeOf(text: string): Code {
  return { tree: jsonLanguage.parser.parse(text), doc: Text.of(text.split('\n')) }
}

const flow = `{
  "id": "flow",
  "steps": [
    { "id": "one", "prompt": "First" },
    {
      "id": "two",
      "conditions": [{ "action": { "target_step": "missing" } }],
      "routing_options": { "a.b": { "continue_to": "x" }, "7": {}, "a": 1 }
    }
  ]
}`

function said(path: string, text = flow) {
  const { from, to } = findPlace(codeOf(text), path)
  return [text.slice(0, from).split('\n').length, text.slice(from, to)]
}

describe('the position of a path', () => {
  test.each([
    ['id', 2, '"flow"'],
    ['steps[0].prompt', 4, '"First"'],
    ['steps[1].conditions[0].action.target_step', 7, '"missing"'],
    ['steps[1].routing_options.a.b.continue_to', 8, '"x"'],
    ['steps[1].routing_options.a', 8, '1'],
    ['steps[1].routing_options[7]', 8, '"7"'],
  ])('%s is in line %d', (path, line, text) => {
    expect(said(path)).toEqual([line, text])
  })

  test('of a value of several lines is its name, or its first line', () => {
    expect(said('steps')).toEqual([3, '"steps"'])
    expect(said('steps[1]')).toEqual([5, '{'])
    expect(said('')).toEqual([1, '{'])
  })

  test('of a missing value is where it would be inserted', () => {
    expect(said('steps[0].type')).toEqual([4, '{'])
    expect(said('steps[9].prompt')).toEqual([3, '"steps"'])
    expect(said('steps[1].conditions[0].operator')).toEqual([7, '{'])
    expect(said('label')).toEqual([1, '{'])
    expect(said('label', '')).toEqual([1, ''])
  })

  test('is found in a text that is not valid JSON', () => {
    expect(said('steps[0].prompt', '{\n"steps": [{"id": "a" "prompt": "x"}')).toEqual([2, '"x"'])
  })
})

describe('the step at a position', () => {
  const code = codeOf(flow)
  const at = (text: string) => stepAt(code, flow.indexOf(text) + 1)

  test('is the enclosing one, at any depth', () => {
    expect(at('First')).toBe('one')
    expect(at('missing')).toBe('two')
    expect(at('{\n      "id": "two"')).toBe('two')
  })

  test('is undefined outside of steps', () => {
    expect(at('"flow"')).toBeUndefined()
    expect(at('"steps"')).toBeUndefined()
  })
})
