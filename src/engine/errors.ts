import { defineFailures } from '#kernel/errors'

/** Failures of the engine's API. A failure inside a step is a StepFailure. */
const engineFailureTable = {
  execution_exists: { status: 409, message: 'An execution with this id exists already.' },
  too_many_executions: {
    status: 429,
    message:
      'The account has reached its limit of concurrent executions. Wait for one to end, or queue this one.',
    retryable: true,
  },
  queue_full: {
    status: 503,
    message: 'The queue of executions is full. Try again later.',
    retryable: true,
  },
  flow_has_limits: {
    status: 409,
    message: 'The flow has limits over all its executions, so this one must be queued.',
  },
  too_many_gated: {
    status: 503,
    message: 'Too many executions wait for the limits of their flow. Try again later.',
    retryable: true,
  },
  flow_not_found: { status: 404, message: 'The flow does not exist.' },
  flow_conflict: { status: 409, message: 'The change conflicts with the stored flow.' },
  flow_disabled: { status: 409, message: 'The flow is disabled. Enable it to run it.' },
  invalid_flow_definition: { status: 422, message: 'The flow definition is invalid.' },
  platform_updating: {
    status: 409,
    message:
      'The platform is being updated: a worker of an older release is still running, and cannot run this flow. Try again when all replicas are updated.',
    retryable: true,
  },
  schedule_not_found: { status: 404, message: 'The schedule does not exist.' },
  schedule_account: { status: 409, message: 'The account of this schedule may not run workflows.' },
  too_many_schedules: { status: 409, message: 'The account has reached its limit of schedules.' },
  execution_not_found: { status: 404, message: 'The execution does not exist.' },
  execution_not_running: { status: 409, message: 'The execution has ended already.' },
  execution_not_failed: { status: 409, message: 'Only a failed execution can be recovered.' },
  recovery_not_possible: { status: 409, message: 'The recovery action does not fit this failure.' },
  not_awaiting_approval: { status: 409, message: 'The execution is not waiting for approval.' },
  human_task_not_found: { status: 404, message: 'The human task does not exist.' },
  human_task_closed: { status: 409, message: 'The human task is not open any more.' },
  too_many_events: {
    status: 429,
    message: 'Too many events of this account are kept. Send them with a shorter ttl, or 0.',
    retryable: true,
  },
  unknown_step: { status: 422, message: 'The flow has no such step.' },
  step_was_skipped: { status: 422, message: 'The step was skipped, so a fork cannot start there.' },
  flow_test_not_found: { status: 404, message: 'The flow has no such test.' },
  flow_test_not_recordable: { status: 409, message: 'The execution cannot be recorded.' },
  too_many_flow_tests: { status: 409, message: 'The flow has reached its limit of tests. Delete one first.' },
  output_missing: { status: 409, message: 'An output is missing in the object store.' },
  objects_not_configured: {
    status: 503,
    message: 'An output is in an object store, and TUTTI_OBJECTS_URL is not set.',
  },
  outputs_not_kept: { status: 409, message: 'The outputs of this execution were not kept.' },
} as const

/** Creates an error of the engine: its code, status and message are from the table above. */
export const engineFailure = defineFailures(engineFailureTable)
