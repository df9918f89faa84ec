/** The ways to take a failed execution up again. */
export const recoveryActions = {
  restart_from_checkpoint: {
    title: 'Run the failed step again',
    about: 'Steps that are done stay done.',
  },
  retry_with_different_provider: {
    title: 'Ask another provider',
    about: 'The failed step is run again without the provider that failed.',
  },
  continue_without_failed_step: {
    title: 'Go on without the failed step',
    about: 'What needs its result is left out.',
  },
} as const

export type RecoveryAction = keyof typeof recoveryActions
