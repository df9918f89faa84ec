/** Something that is done again and again, never twice at once. */
export interface Repeated {
  /** Resolves when it is not being done any more. */
  stop(): Promise<void>
}

export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeated {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
