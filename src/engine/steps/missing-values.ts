import { StepFailure } from './step-failure.ts'
import type { StepRun } from './step-run.ts'

/** Logs the placeholders without a value. Throws STEP_DEPENDENCY_FAILED when a failed step would have produced one. */
export function reportMissing({ failedProducerOf, log }: StepRun, missing: readonly string[]): void {
  for (const path of missing) {
    const producer = failedProducerOf(path)
    if (producer === undefined) continue
    throw new StepFailure({
      code: 'STEP_DEPENDENCY_FAILED',
      message: `The step needs {{${path}}}, which the failed step "${producer}" did not produce.`,
      details: { missing: path, failed_step: producer },
    })
  }
  if (missing.length === 0) return
  const named = missing.map((path) => `{{${path}}}`).join(', ')
  log('warning', `No value was found for ${named}; the placeholder was left empty.`, { missing })
}
