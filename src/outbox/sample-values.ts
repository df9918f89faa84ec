/** The id of an execution that does not exist. */
export const sampleExecutionId = '00000000-0000-4000-8000-000000000000'

/** What the test events of both APIs say about a failed execution. */
export const sampleFailure = {
  status: 'failed',
  error: {
    code: 'PROVIDER_UNAVAILABLE',
    message: 'No provider answered.',
    failed_step: 'summarise',
    provider: null,
    timeout_duration: null,
    retry_attempts: 3,
  },
  reason: null,
  completed_steps: ['collect'],
}
