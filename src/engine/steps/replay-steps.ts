import { openRow } from '../definition/nested-steps.ts'
import { isContainer, isPure, type Step } from '../definition/step-types.ts'
import type { Choice } from '../graph/plan.ts'
import { noUsage, StepFailure, type StepFailureCode } from './step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from './step-run.ts'

/** What a step with effects answered, as it is replayed: its output, or its failure. */
export interface RecordedStep {
  readonly output?: unknown
  readonly choice?: Choice | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** The recorded answers by step path; `PATH/$open` is the input of a container that services evaluated. */
export type Recording = Readonly<Record<string, RecordedStep>>

/**
 * Runs the steps of executions with a recording: steps with effects answer from it and call nothing, pure steps run. All other executions
 * are not affected. A step without a recording fails with RECORDING_MISSING, which ends the execution.
 */
export function createReplay(runStep: StepExecutor<Step>): StepExecutor<Step> {
  return (run) => {
    const { replay, step } = run
    return replay === undefined || isPure(step) ? runStep(run) : answerFrom(replay, run)
  }
}

async function answerFrom(recording: Recording, { path, step }: StepRun): Promise<StepResult> {
  const id = isContainer(step) ? `${path}/${openRow}` : path
  const recorded = Object.hasOwn(recording, id) ? recording[id] : undefined
  if (recorded === undefined) {
    throw new StepFailure({
      code: 'RECORDING_MISSING',
      message: `There is no recorded answer for the step "${id}". Record the test again, or add one.`,
      details: { step: id },
    })
  }
  const { output = null, choice, error } = recorded
  if (error !== undefined) {
    throw new StepFailure({
      code: error.code as StepFailureCode,
      message: error.message,
      details: { replayed: true },
    })
  }
  return {
    output,
    ...(choice !== undefined && { choice }),
    confidence: null,
    quality: null,
    usage: noUsage,
    details: { replayed: true },
  }
}
