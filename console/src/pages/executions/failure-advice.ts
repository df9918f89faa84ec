const advice: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'The output failed the checks of the step. Make the prompt clearer or relax the checks.',
  INSUFFICIENT_CREDITS: 'Raise the budget of the workflow or the account, or choose a cheaper model.',
  PROVIDER_UNAVAILABLE: 'Choose another model for the step, or check which providers are online.',
  EXTERNAL_API_FAILED: 'Check the URL, the method and the headers, and that the service responds.',
  EXTERNAL_API_REFUSED:
    'This server does not call that URL. Choose another one, or ask an administrator to allow it.',
  INVALID_STEP: 'Check the input of the step: a value is missing or has the wrong type.',
  EXPRESSION_FAILED: 'Check the expression, and that the values it reads exist.',
  STEP_DEPENDENCY_FAILED: 'Fix the step it depends on first.',
  MEMORY_LIMIT_EXCEEDED: 'Store less in memory, or use a smaller input.',
  AGENT_DECISION_ERROR: 'State the decision more clearly in the routing prompt.',
  EXECUTION_TIMEOUT: 'Raise the timeout of the step or the workflow, or use a smaller input.',
  SECRET_NOT_FOUND: 'Add the secret or the connection, or correct its name in the step.',
  WAIT_TIMED_OUT: 'Send the event earlier, or raise the timeout of the step.',
}

/** The advice for an execution error; null where the message is enough. */
export function adviceFor(code: string): string | null {
  return advice[code] ?? null
}
