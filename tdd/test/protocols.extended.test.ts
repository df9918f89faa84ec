import { afterAll, beforeAll, describe, test } from 'vitest'
import { nativeProtocols } from '../src/protocols/protocols.ts'
import { expectAllowed } from './support/any-input.ts'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, tutti } from './support/tool.ts'

let project: TestProject
beforeAll(async () => {
  await buildTool()
  project = await createRepository({ 'package.json': '{}', 'src/cart.ts': '' })
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
})
afterAll(() => project[Symbol.dispose]())

describe.each(nativeProtocols.map(({ name }) => name))('%s', (agent) => {
  test.each(['', 'null', '[]', '"text"', '{"toolName":"edit","toolArgs":"{"}'])(
    'the input %j lets the call pass',
    (input) => expectAllowed(project, agent, input),
  )
})
