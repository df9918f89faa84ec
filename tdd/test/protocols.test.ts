import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeProtocols } from '../src/protocols/protocols.ts'
import { expectAllowed } from './support/any-input.ts'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, tutti } from './support/tool.ts'

interface Recorded {
  readonly phase: 'RED' | 'GREEN'
  readonly input: object
  readonly expected: { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
}

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))

/** One project for each phase: the hook only looks at it. */
const projects = new Map<string, TestProject>()

beforeAll(async () => {
  await buildTool()
  for (const phase of ['RED', 'GREEN']) {
    const project = await createRepository({ 'package.json': '{}', 'src/cart.ts': '' })
    projects.set(phase, project)
    await project.git('add', '.')
    await tutti(project.root, ['start'])
    await tutti(project.root, ['red', 'cart', 'totals'])
    if (phase === 'GREEN') await tutti(project.root, ['green'])
  }
})

afterAll(() => {
  for (const project of projects.values()) project[Symbol.dispose]()
})

function projectIn(phase: string): TestProject {
  const project = projects.get(phase)
  if (project === undefined) throw new Error(`no project in ${phase}`)
  return project
}

for (const { name: agent } of nativeProtocols) {
  describe(agent, () => {
    const names = readdirSync(`${fixtures}${agent}`).sort()

    test.each(names)('%s gets the recorded response', async (name) => {
      const recorded = JSON.parse(readFileSync(`${fixtures}${agent}/${name}`, 'utf8')) as Recorded
      const { root } = projectIn(recorded.phase)
      const input = JSON.stringify(recorded.input).replaceAll('{root}', root)
      const { stdout, stderr, code } = await tutti(root, ['hook', '--agent', agent], { input })

      expect({ stdout, stderr, exitCode: code }).toEqual(recorded.expected)
    })

    test.each(['{', '{"tool_input":null}'])('the input %s lets the call pass', (input) =>
      expectAllowed(projectIn('RED'), agent, input),
    )
  })
}
