import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksThatDoNotRun, findBlocks, isRun } from '../support/guide.ts'

const [ofGuides, ofModels, ofDeployment, ofSamples, ofWebhooks] = [
  'test/process/guides.extended.test.ts',
  'test/process/guides-models.extended.test.ts',
  'test/process/guides-deployment.extended.test.ts',
  'test/process/guides-samples.extended.test.ts',
  'test/process/guides-webhooks.extended.test.ts',
] as const

/** The tests that run the blocks of a guide. */
const runBy: Readonly<Record<string, readonly string[]>> = {
  agents: [ofGuides],
  authentication: [ofGuides],
  backup: [ofGuides],
  'build-flows': [ofSamples],
  cluster: [ofModels],
  'connect-clients': [ofModels],
  'deploy-flows': [ofDeployment],
  'flow-expressions': [ofGuides],
  'getting-started': [ofModels],
  health: [ofGuides],
  'human-steps': [ofGuides],
  mcp: [ofGuides],
  models: [ofModels],
  notifications: [ofGuides],
  oauth: [ofGuides],
  operations: [ofGuides],
  'run-flows': [ofGuides],
  secrets: [ofGuides],
  tours: [ofGuides],
  triggers: [ofGuides],
  webhooks: [ofGuides, ofWebhooks],
}

/** The variables of all guides. */
const variables = [
  'export TUTTI_URL=http://127.0.0.1:3000',
  'export TUTTI_API_KEY=$(npx tutti key create --user admin --name guide)',
  'export AUTH="Authorization: Bearer $TUTTI_API_KEY"',
]
/** Guides that define them later, or not all of them. */
const withoutThemAtTheTop: Readonly<Record<string, string>> = {
  'getting-started': 'nothing is installed at the top',
  'connect-clients': 'its clients have keys with fewer permissions',
}

const guides = globSync('docs/guides/*.md').sort()
const blocksOf = (guide: string) => findBlocks(readFileSync(guide, 'utf8'))
const isProgram = ({ language }: { readonly language: string }) => /^(?:sh|js|ts|python)$/.test(language)

describe.each(guides)('%s', (guide) => {
  const name = basename(guide, '.md')
  const programs = blocksOf(guide).filter(isProgram)
  const shell = programs
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)
    .join('\n')

  test('its programs are run by a test', () => {
    expect(runBy[name] === undefined ? programs.filter(isRun) : []).toEqual([])
    for (const file of runBy[name] ?? []) expect(readFileSync(file, 'utf8')).toContain(name)
  })

  test('its marks are those that test/support/guide.ts describes', () => {
    const known = /^(|error-response|second-terminal|file: \S+)$/
    expect(programs.filter(({ note }) => !known.test(note))).toEqual([])
  })

  test('it defines the variables of all guides at the top, with the same lines', () => {
    const uses = programs.some(({ code }) => /\bTUTTI_URL\b|\bTUTTI_API_KEY\b|\$AUTH\b/.test(code))
    if (!uses || name in withoutThemAtTheTop) return
    const [introduction = ''] = readFileSync(guide, 'utf8').split(/^## /m)
    expect(introduction).toContain(['```sh', ...variables, '```'].join('\n'))
  })

  test('it sets no variable to two values', () => {
    const assigned = [...shell.matchAll(/(?:^|^export |^[A-Z_]+=\$\(.*\) )([A-Z_]+)=\S+.*$/gm)]
      // In front of a command, it is for this command only.
      .filter(([line]) => !/^[A-Z_]+=[^\s$]+ \w/.test(line))
      .map(([, variable]) => variable)
    expect(assigned.filter((variable, index) => assigned.indexOf(variable) !== index)).toEqual([])
    expect(assigned.filter((variable) => /^(?:URL|KEY|ID|API|TOKEN)$/.test(variable ?? ''))).toEqual([])
  })
})

test('the variables of all guides have the same values everywhere', () => {
  const lines = guides.flatMap((guide) =>
    blocksOf(guide)
      .filter(isProgram)
      .flatMap(({ code }) => code.split('\n'))
      .filter((line) => /^(?:export )?(?:TUTTI_URL|TUTTI_API_KEY|AUTH)=/.test(line)),
  )
  expect([...new Set(lines)].sort()).toEqual(variables.toSorted())
})

test('no more blocks than the table says do not run', () => {
  const notRun = guides.flatMap(blocksOf).filter((block) => isProgram(block) && !isRun(block))
  const count = (has: RegExp) => notRun.filter(({ code }) => has.test(code)).length
  expect(blocksThatDoNotRun.map(([has]) => [String(has), count(has)])).toEqual(
    blocksThatDoNotRun.map(([has, , expected]) => [String(has), expected]),
  )
})
