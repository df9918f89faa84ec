import type { Problem } from '#kernel/errors'
import { callsModels, isContainer, kindOf, type Step } from './step-types.ts'

/** Checks steps whose fields match their schema; undefined is a step that does not. `list` is their path, such as `steps`. */
export function checkSteps(steps: readonly (Step | undefined)[], list: string): Problem[] {
  return steps.flatMap((step, index) => (step === undefined ? [] : checkStep(step, `${list}[${index}]`)))
}

function checkStep(step: Step, place: string): Problem[] {
  return [
    ...checkErrorHandling(step, place),
    ...(isContainer(step) ? findUselessFields(step, place) : []),
    ...kindOf(step).check(step, place),
  ]
}

/** The steps inside a container have their own retries and checks. */
function findUselessFields(step: Step, place: string): Problem[] {
  const takesRetries = kindOf(step).container?.generatesSteps === true
  return (['retry_config', 'validation'] as const)
    .filter((field) => step[field] !== undefined && !(field === 'retry_config' && takesRetries))
    .map((field) => ({
      path: `${place}.${field}`,
      message: `has no effect on "${step.type}"; its steps have their own`,
      code: 'no_effect',
    }))
}

function checkErrorHandling(step: Step, place: string): Problem[] {
  const { on_failure, fallback_message } = step.error_handling ?? {}
  const at = `${place}.error_handling`
  if (
    step.on_error !== undefined &&
    on_failure !== undefined &&
    on_failure !== 'retry_with_different_provider'
  ) {
    return [
      {
        path: `${at}.on_failure`,
        message: `has no effect: on_error continues with "${step.on_error}". Remove one of them.`,
        code: 'no_effect',
      },
    ]
  }
  if (on_failure === 'fallback' && fallback_message === undefined) {
    return [
      {
        path: `${at}.fallback_message`,
        message: 'is required when on_failure is "fallback"',
        code: 'required',
      },
    ]
  }
  if (fallback_message !== undefined && on_failure !== 'fallback') {
    return [
      {
        path: `${at}.fallback_message`,
        message: 'has no effect unless on_failure is "fallback"',
        code: 'no_effect',
      },
    ]
  }
  if (on_failure === 'retry_with_different_provider' && !callsModels(step)) {
    return [
      {
        path: `${at}.on_failure`,
        message: `is only for steps that call a model, which a step of type ${step.type} does not`,
        code: 'no_effect',
      },
    ]
  }
  return []
}
