const advice: Readonly<Record<string, string>> = {
  VALIDATION_FAILED:
    'Look at the rules of the step: what it made does not keep them. A clearer prompt or a kinder rule helps.',
  INSUFFICIENT_CREDITS: 'Raise the budget of the flow or of the account, or choose a cheaper model.',
  PROVIDER_UNAVAILABLE: 'Choose another model for the step, or see under Providers who answers.',
  EXTERNAL_API_FAILED:
    'See whether the address, the method and the headers are right, and whether it answers.',
  EXTERNAL_API_REFUSED:
    'This platform does not call that address. Choose another, or have an administrator allow it.',
  INVALID_STEP: 'Look at what the step is given: something in it is not what it can work with.',
  STEP_DEPENDENCY_FAILED: 'Mend the step it needs first.',
  MEMORY_LIMIT_EXCEEDED: 'Have steps keep less in memory, or try it with a smaller input.',
  AGENT_DECISION_ERROR: 'Say more clearly in the routing prompt what is to be decided.',
  EXECUTION_TIMEOUT: 'Give the step or the flow more time, or a smaller input.',
}

/** What helps against an error of an execution; null where it says so itself. */
export function adviceFor(code: string): string | null {
  return advice[code] ?? null
}
