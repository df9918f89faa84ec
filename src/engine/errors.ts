import { failuresOf } from '#kernel/errors'

/** Everything that can go wrong between a caller and a flow. What goes wrong inside a step is a StepFailure. */
const engineFailureTable = {
  execution_exists: { status: 409, message: 'There is an execution of this id already.' },
  too_many_executions: {
    status: 429,
    message:
      'The account has as many executions under way as it may have. Wait for one to end, or queue this one.',
    retryable: true,
  },
  queue_full: {
    status: 503,
    message: 'As many executions wait in the queue as may. Try again when some of them are done.',
    retryable: true,
  },
  flow_not_found: { status: 404, message: 'There is no such flow.' },
  flow_conflict: { status: 409, message: 'This conflicts with the flow that is there.' },
  invalid_flow_definition: { status: 422, message: 'The flow cannot be saved as it is.' },
  schedule_not_found: { status: 404, message: 'There is no such schedule.' },
  schedule_account: { status: 409, message: 'The account of this schedule may not run workflows.' },
  too_many_schedules: { status: 409, message: 'The account has as many schedules as it may.' },
  execution_not_found: { status: 404, message: 'There is no such execution.' },
  execution_not_running: { status: 409, message: 'The execution is over already.' },
  execution_not_failed: { status: 409, message: 'Only an execution that failed can be recovered.' },
  recovery_not_possible: { status: 409, message: 'This failure cannot be recovered from in this way.' },
  not_awaiting_approval: { status: 409, message: 'This execution does not wait for anybody to agree.' },
  unknown_step: { status: 422, message: 'The flow has no such step.' },
  step_was_skipped: { status: 422, message: 'The step did not run, so nothing can begin there.' },
  outputs_not_kept: { status: 409, message: 'What the steps of this execution made was not kept.' },
} as const

export const engineFailure = failuresOf(engineFailureTable)
