/** The ways to take a failed execution up again. */
export const recoveryActions = {
  restart_from_checkpoint: {
    title: 'Retry the failed step',
    about: 'Completed steps are not run again.',
  },
  retry_with_different_provider: {
    title: 'Use another provider',
    about: 'Retries the failed step without the provider that failed.',
  },
  continue_without_failed_step: {
    title: 'Skip the failed step',
    about: 'Steps that depend on its output are skipped.',
  },
} as const

export type RecoveryAction = keyof typeof recoveryActions
