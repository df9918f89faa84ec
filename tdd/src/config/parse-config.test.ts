import { expect, test } from 'vitest'
import { defaultConfig, requiresProvenRed } from './config.ts'
import { parseConfig } from './parse-config.ts'

test('an empty file is the default configuration', () => {
  for (const text of ['', '# nothing\n', '{}', 'tdd:\n'])
    expect(parseConfig(text)).toEqual({ config: defaultConfig, problems: [] })
})

test('every field is read', () => {
  const text = `
project: { type: web, language: typescript, framework: vitest }
testing: { coverageThreshold: 80, timeout: 5000, command: npm test, reports: [build/*.xml], lintCommand: off }
tdd: { enforceWorkflow: false, requireTestFirst: false, requireProvenRed: true }
team: { enforcementLevel: off, sharedMetrics: true, notifications: true }
files: { test: [qa/**], neutral: [styles/**] }
`
  const { config, problems } = parseConfig(text)
  expect(problems).toEqual([])
  expect(config).toMatchObject({
    project: { type: 'web', language: 'typescript', framework: 'vitest' },
    testing: {
      coverageThreshold: 80,
      timeout: 5000,
      command: 'npm test',
      reports: ['build/*.xml'],
      lintCommand: 'off',
    },
    tdd: { enforceWorkflow: false, requireTestFirst: false, requireProvenRed: true },
    team: { enforcementLevel: 'off', sharedMetrics: true, notifications: true },
  })
  expect(config.files.map((rule) => [rule.class, new RegExp(rule.source).test('qa/a/b.ts')])).toEqual([
    ['test', true],
    ['neutral', false],
  ])
})

test.each([
  [
    'team: { enforcementLevel: loud }',
    'team.enforcementLevel: expected one of strict, warn, off, found "loud"',
  ],
  [
    'testing: { coverageThreshold: 101 }',
    'testing.coverageThreshold: expected a whole number from 0 to 100, found 101',
  ],
  ['testing: { timeout: soon }', 'testing.timeout: expected a whole number'],
  ['tdd: { enforceWorkflow: "yes" }', 'tdd.enforceWorkflow: expected true or false, found "yes"'],
  ['tdd: strict', 'tdd: expected fields below it, found "strict"'],
  ['teem: {}', 'teem: unknown; known are project, testing, tdd, team, files'],
  ['team: { enforcmentLevel: strict }', 'team.enforcmentLevel: unknown'],
  ['files: { test: ["!src/**"] }', 'files.test'],
])('%s is reported, and counts as absent', (text, problem) => {
  const { config, problems, unreadable } = parseConfig(text)
  expect(problems).toEqual([expect.stringContaining(problem)])
  expect(unreadable).toBeUndefined()
  expect(config).toEqual(defaultConfig)
})

test.each(['a: [', 'text', '- a\n- b', 'a: 1\na: 2', '\tx: 1'])('%j is rejected as a whole', (text) => {
  expect(parseConfig(text)).toMatchObject({
    unreadable: true,
    problems: [expect.stringContaining('tdd.config.yaml')],
  })
})

test.each([
  ['team: { enforcementLevel: strict }', true],
  ['tdd: { requireProvenRed: false }\nteam: { enforcementLevel: strict }', false],
  ['tdd: { enforceWorkflow: false }\nteam: { enforcementLevel: strict }', false],
  ['tdd: { requireTestFirst: false }\nteam: { enforcementLevel: strict }', false],
  ['team: { enforcementLevel: warn }', false],
  ['', false],
  ['tdd: { requireProvenRed: true }\nteam: { enforcementLevel: warn }', true],
  ['tdd: { requireProvenRed: true, enforceWorkflow: false }', false],
  ['tdd: { requireProvenRed: true }', true],
])('%j: requireProvenRed is %s', (text, expected) => {
  expect(requiresProvenRed(parseConfig(text).config)).toBe(expected)
})
