import { StepFailure } from './step-failure.ts'
import type { StepRun } from './step-run.ts'

/** Takes note of what a step refers to and could not be found. Throws when it is missing because the step that makes it failed. */
export function takeNoteOfMissing({ failedMakerOf, log }: StepRun, missing: readonly string[]): void {
  for (const path of missing) {
    const maker = failedMakerOf(path)
    if (maker === undefined) continue
    throw new StepFailure({
      code: 'STEP_DEPENDENCY_FAILED',
      message: `It needs {{${path}}}, and step "${maker}" failed.`,
      details: { missing: path, failed_step: maker },
    })
  }
  if (missing.length === 0) return
  const named = missing.map((path) => `{{${path}}}`).join(', ')
  log('warning', `Nothing was found for ${named}; it was left empty.`, { missing })
}
