import type { ContainerStep, ContainerType } from '../../definition/step-types.ts'
import { withTemplates } from '../../steps/step-expressions.ts'
import { noUsage } from '../../steps/step-failure.ts'
import type { StepResult, StepRun } from '../../steps/step-run.ts'
import type { ContainerDriver } from './container.ts'
import { forEachDriver } from './for-each.ts'

const byType: { readonly [Type in ContainerType]: ContainerDriver<Extract<ContainerStep, { type: Type }>> } =
  {
    for_each: forEachDriver,
  }

/** The driver of a container. */
export function driverOf({ type }: ContainerStep): ContainerDriver<ContainerStep> {
  return byType[type]
}

/** Evaluates the input of a container, as the first part of its run. Throws a StepFailure. */
export async function openContainer(run: StepRun<ContainerStep>): Promise<StepResult> {
  const record = await driverOf(run.step).open(await withTemplates(run))
  return { output: record, confidence: null, quality: null, usage: noUsage, details: {} }
}
