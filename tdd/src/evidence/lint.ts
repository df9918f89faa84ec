import { type Tool, tryTool } from '../programs/try-tool.ts'
import type { LintEvidence } from '../state/state.ts'
import { runTests } from './run-tests.ts'

/** A commit waits for the linter; one that takes longer belongs into continuous integration. */
export const maxLintMs = 60_000
const shownCharacters = 300

/** Runs a linter. One that cannot be started or does not end in time proves nothing. */
export async function lint(
  linter: Tool,
  folder: string,
  timeoutMs: number,
  at: string,
): Promise<LintEvidence> {
  const { command } = linter
  const { works, said } = tryTool(linter, folder)
  if (!works) return { at, command, outcome: 'unknown', detail: `cannot run: ${said}` }
  const { exitCode, timedOut, stdout, stderr } = await runTests({
    command,
    cwd: folder,
    timeoutMs,
    show: () => {},
  })
  if (timedOut) return { at, command, outcome: 'unknown', detail: `was ended after ${timeoutMs} ms` }
  if (exitCode === 0) return { at, command, outcome: 'passed', detail: '' }
  const printed = `${stdout}\n${stderr}`.replace(/\s+/g, ' ').trim().slice(0, shownCharacters)
  return { at, command, outcome: 'failed', detail: `ended with ${exitCode}: ${printed}` }
}
