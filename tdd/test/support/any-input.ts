import { expect } from 'vitest'
import type { TestProject } from './project.ts'
import { tutti } from './tool.ts'

/** Expects that a hook call with an input that the protocol of the assistant does not have is allowed. */
export async function expectAllowed({ root }: TestProject, agent: string, input: string): Promise<void> {
  const { stdout, stderr, code } = await tutti(root, ['hook', '--agent', agent], { input })
  expect({ code, stdout }).toEqual({ code: 0, stdout: agent === 'cursor' ? '{"permission":"allow"}\n' : '' })
  expect(stderr.split('\n').length).toBeLessThanOrEqual(2)
}
