import { describe, expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'

describe('harmful YAML is refused quickly and with its line', () => {
  test.each<[string, string, RegExp, number | null]>([
    ['a bomb of aliases', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]', /Anchors/, 1],
    ['an alias alone', 'x: 1\na: *b', /Anchors/, 2],
    ['very many anchors', '&a '.repeat(100_000), /Anchors/, 1],
    ['a merge key', 'a:\n  <<: {b: 1}', /Merge keys/, 2],
    ['an object of PHP', 'a: !php/object "O:8"', /The tag !php\/object/, 1],
    ['a tag of YAML', 'x: 1\na: !!binary aGk=', /The tag !!binary/, 2],
    ['brackets without end', '['.repeat(200_000), /nested too deeply/, 1],
    ['braces without end', '{a: '.repeat(100_000), /nested too deeply/, 1],
    ['lists without end', '- '.repeat(200_000), /too many entries/, 1],
    [
      'indents without end',
      Array.from({ length: 2000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
      /nested too deeply/,
      null,
    ],
    [
      'very many keys',
      Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join('\n'),
      /too many entries/,
      7143,
    ],
    ['a key twice', 'a: 1\nb: 2\na: 3', /"a" occurs twice/, 3],
    ['a key that is a list', '? [a, b]\n: c', /must be a scalar/, 1],
    ['two documents', 'a: 1\n---\nb: 2', /not valid YAML/, 2],
    ['a text that does not end', 'a: "b', /not valid YAML/, 1],
  ])('%s', (_what, text, message, line) => {
    let refused: unknown
    try {
      readYaml(text)
    } catch (error) {
      refused = error
    }
    expect(refused).toMatchObject({ name: 'YamlMistake', message: expect.stringMatching(message), line })
  })
})

test('quoted text that looks like an anchor or a tag is accepted', () => {
  const { value } = readYaml("a: '*x'\nb: x *y &z !t\nc: |\n  *not\n  &an !alias\nd: \"!t\"\n'*k': 1\n")
  expect(value).toEqual(
    new Map<string, unknown>([
      ['a', '*x'],
      ['b', 'x *y &z !t'],
      ['c', '*not\n&an !alias\n'],
      ['d', '!t'],
      ['*k', 1],
    ]),
  )
})

test('the line of a path is that of its key, or of the nearest key above', () => {
  const { lineOf } = readYaml('a:\n  b:\n    - c: 1\n    - d: 2\n')
  expect(
    [['a'], ['a', 'b'], ['a', 'b', 1, 'd'], ['a', 'b', 7], ['a', 'x', 'y'], ['z']].map((path) =>
      lineOf(path),
    ),
  ).toEqual([1, 2, 4, 2, 1, 1])
})
