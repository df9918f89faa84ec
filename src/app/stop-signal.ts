/** A second signal so soon after the first is the same Ctrl-C: the terminal sends it, and npm passes it on once more. */
const sameSignalMs = 1000

/**
 * Resolves at the first SIGINT or SIGTERM. A later one ends the process at once, for those who cannot wait; `onImpatience`
 * has the last word.
 */
export async function stopSignal(onImpatience: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    let firstAt: number | undefined
    const stop = () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > sameSignalMs) {
        onImpatience()
        process.exit(130)
      }
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
